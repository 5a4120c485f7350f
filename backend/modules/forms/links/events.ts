import { z } from 'zod'
import { FormId, FormLinkId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

/** `linkId` is derived from a hash of the link's secret, from which the link cannot be recovered. */
const subject = { formId: FormId, practiceId: PracticeId, patientId: PatientId, linkId: FormLinkId }

/** The history of the links with which a patient fills in one form. */
export const FormLinkEvent = z.discriminatedUnion('type', [
  /** An earlier link no longer works. */
  event('FormLinkCreated', { ...subject, expiresAt: z.iso.datetime() }),
  event('FormLinkRevoked', subject),
  /** The right date of birth was given. */
  event('FormLinkOpened', subject),
  /** A wrong date of birth was given; the third one closes the link. */
  event('FormLinkMissed', subject),
])
export type FormLinkEvent = z.infer<typeof FormLinkEvent>
