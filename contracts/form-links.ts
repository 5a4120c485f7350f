import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FormTemplate } from './forms.ts'
import { CalendarDate } from './values/dates.ts'
import { Answer, QuestionId } from './values/forms.ts'
import { FormId } from './values/ids.ts'

/** Days for which the link of a form works. */
export const formLinkDays = 7

/** Wrong dates of birth after which a link is closed. */
export const maxFormLinkTries = 3

/** The path of the page on which a patient fills in a form. */
export const formLinkPage = '/f/:token'

/**
 * The newest link of a form. `open`: not used yet; `used`: the patient has given the right date of birth; `closed`: three
 * wrong dates were given; `revoked` by the practice; `expired`.
 */
export const FormLink = z.object({
  state: z.enum(['open', 'used', 'closed', 'revoked', 'expired']),
  expiresAt: z.iso.datetime(),
})
export type FormLink = z.infer<typeof FormLink>

const access = { permission: 'patients:write' } as const
const params = z.object({ formId: FormId })

/** Returns the newest link of a form; null without one. Its address is shown only once. 404 for a form of another practice. */
export const getFormLink = endpoint({
  method: 'GET',
  path: '/api/forms/:formId/link',
  access: { permission: 'patients:read' },
  params,
  reply: z.object({ link: FormLink.nullable() }),
})

/**
 * Creates a link with which the patient fills in this form, for seven days; an earlier one no longer works. `qr` is its address as
 * an SVG. 409 `form-closed` for a form that was handed in, `patient-deceased` for a patient who has died, `birth-date-missing` for
 * one without a date of birth, which the page asks for first.
 */
export const createFormLink = endpoint({
  method: 'POST',
  path: '/api/forms/:formId/link',
  access,
  params,
  reply: z.object({ url: z.string(), expiresAt: z.iso.datetime(), qr: z.string() }),
  status: 201,
})

/** Ends the link of a form at once. Does nothing without one. */
export const revokeFormLink = endpoint({
  method: 'DELETE',
  path: '/api/forms/:formId/link',
  access,
  params,
  reply: z.null(),
})

const token = z.string().min(1).max(200)

/** The practice, as the page names it before it knows who holds the link: nothing about the patient, nor about the form. */
export const OpenedFormLink = z.object({ practiceName: z.string(), practicePhone: z.string().nullable() })
export type OpenedFormLink = z.infer<typeof OpenedFormLink>

/**
 * Looks up a link. The token is in the body, so that no log has it. 404 for an unknown one; 410 `link-expired`, `link-revoked`,
 * `link-closed`, `link-replaced` or `form-submitted` for one that no longer works.
 */
export const lookUpFormLink = endpoint({
  method: 'POST',
  path: '/api/patient-forms/look-up',
  access: 'public',
  body: z.strictObject({ token }),
  reply: OpenedFormLink,
})

/** The form of a link. `access` proves for four hours that the date of birth was given. */
export const PatientForm = OpenedFormLink.extend({
  access: z.string(),
  title: z.string(),
  template: FormTemplate,
  formData: z.record(QuestionId, Answer),
})
export type PatientForm = z.infer<typeof PatientForm>

/**
 * Opens the form of a link. 403 `wrong-birth-date` for a date that is not the patient's; the third one closes the link. 404 and 410
 * as for looking it up.
 */
export const openPatientForm = endpoint({
  method: 'POST',
  path: '/api/patient-forms/open',
  access: 'public',
  body: z.strictObject({ token, dateOfBirth: CalendarDate }),
  reply: PatientForm,
})

/**
 * Saves answers of the patient, and hands them in. 403 `identify-again` when `access` is over; 422 names the answer at fault; 404
 * and 410 as for looking it up.
 */
export const savePatientForm = endpoint({
  method: 'POST',
  path: '/api/patient-forms/answers',
  access: 'public',
  body: z.strictObject({
    token,
    access: z.string().max(200),
    /** The changed answers; null removes one. */
    formData: z.record(QuestionId, Answer.nullable()).default({}),
    submit: z.boolean().default(false),
  }),
  reply: z.object({ isSubmitted: z.boolean() }),
})
