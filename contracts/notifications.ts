import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FormType } from './values/forms.ts'
import {
  AppointmentId,
  CommunicationId,
  FormId,
  ImportId,
  InsuranceVerificationId,
  NotificationId,
} from './values/ids.ts'
import { Money } from './values/money.ts'
import { PersonName } from './values/person-name.ts'

/** Days for which a notification is shown. */
export const notificationDays = 90

/** Notifications on one page of the list. */
export const notificationPageSize = 20

/** The most notifications that one request marks as read by their ids. */
export const maxReadIds = 100

const common = { id: NotificationId, at: z.string(), isRead: z.boolean() }

/** A start in the practice's time zone: YYYY-MM-DD and HH:mm. */
const LocalStart = z.object({ localDate: z.string(), localTime: z.string() })

/** `patient` is null for callers who may not read patients, and when the patient is no longer known. */
const appointment = { appointmentId: AppointmentId, patient: PersonName.nullable(), ...LocalStart.shape }

const form = { formId: FormId, formType: FormType, patient: PersonName.nullable() }

const coverage = { verificationId: InsuranceVerificationId, patient: PersonName.nullable() }

/**
 * A matter of the practice that may need a person. `at` is the instant at which it happened. Those about appointments are
 * not shown to the user who caused them, nor are those about forms and coverages.
 */
export const Notification = z.discriminatedUnion('kind', [
  /** An appointment later on the same day was cancelled. */
  z.object({ ...common, kind: z.literal('appointment-cancelled'), ...appointment }),
  /** An appointment later on the same day was moved; `localDate` and `localTime` are the earlier start. */
  z.object({ ...common, kind: z.literal('appointment-moved'), ...appointment, movedTo: LocalStart }),
  /** An emergency was booked for the same day, or an appointment of that day became one. */
  z.object({ ...common, kind: z.literal('emergency-booked'), ...appointment }),
  /**
   * A slot of the next 30 days was freed for patients who were on the waitlist: `candidates` of them still are. Shown as long
   * as it is free and its provider is active; of the 1,000 slots released last. `duration` is in minutes.
   */
  z.object({
    ...common,
    kind: z.literal('slot-freed'),
    ...LocalStart.shape,
    duration: z.number(),
    provider: z.string().nullable(),
    candidates: z.number(),
  }),
  /** A patient declined an appointment by a link or a text. */
  z.object({ ...common, kind: z.literal('confirmation-declined'), ...appointment }),
  /** A patient on the waitlist took a slot that was offered; `localDate` and `localTime` are those of the appointment now. */
  z.object({ ...common, kind: z.literal('offer-accepted'), ...appointment }),
  /** A patient has written, by a text or with an answer; shown until the message is read or answered. */
  z.object({
    ...common,
    kind: z.literal('message-received'),
    communicationId: CommunicationId,
    patient: PersonName.nullable(),
  }),
  /** A form was handed in; shown until it is reviewed. */
  z.object({ ...common, kind: z.literal('form-submitted'), ...form }),
  /** The analysis of a form has an urgent finding; shown until the form is reviewed. */
  z.object({ ...common, kind: z.literal('form-urgent'), ...form }),
  /** The insurer denied a coverage; shown until it is verified or to be verified again. */
  z.object({ ...common, kind: z.literal('coverage-denied'), ...coverage }),
  /** The last day of a coverage is over. */
  z.object({ ...common, kind: z.literal('coverage-expired'), ...coverage }),
  /** `skipped` and `failed` count the rows of the file that became no patients. The counts are missing when unknown. */
  z.object({
    ...common,
    kind: z.literal('import-finished'),
    importId: ImportId,
    created: z.number().optional(),
    skipped: z.number().optional(),
    failed: z.number().optional(),
  }),
  /** An import, or its undo, was given up. */
  z.object({ ...common, kind: z.literal('import-failed'), importId: ImportId }),
  /** A person accepted an invitation. `name` is null when the account is no longer known. */
  z.object({ ...common, kind: z.literal('member-joined'), name: z.string().nullable() }),
  /** Shown until the invoice is paid or void. */
  z.object({ ...common, kind: z.literal('payment-failed'), amount: Money }),
  /** The subscription was canceled and ends with its period. */
  z.object({ ...common, kind: z.literal('subscription-ending'), endsAt: z.string() }),
  /** The practice has no plan any more. */
  z.object({ ...common, kind: z.literal('subscription-canceled') }),
])
export type Notification = z.infer<typeof Notification>

const invalidCursor = 'This is not the start of a page'

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

function parseCursor(text: string): { at: string; id: string } | null {
  const [, at, id] = cursorPattern.exec(text) ?? []
  if (at === undefined || id === undefined) return null
  const ms = Date.parse(at)
  // February 30 would become March 2.
  return !Number.isNaN(ms) && new Date(ms).toISOString() === at ? { at, id } : null
}

/** The start of the next page: the instant and the id of the last notification of the page before. */
const Cursor = z
  .string({ error: invalidCursor })
  .refine((text) => parseCursor(text) !== null, invalidCursor)
  .transform((text) => parseCursor(text) as { at: string; id: string })

/** Returns the `before` of the page that follows a notification. */
export const encodeCursor = ({ at, id }: Pick<Notification, 'at' | 'id'>): string => `${at}_${id}`

/**
 * Lists the notifications of the last 90 days that the caller may see, newest first, 20 at a time. `before` is the `next` of
 * the page before; `next` is null on the last page. `unread` counts all pages.
 */
export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  access: 'member',
  query: z.object({ before: Cursor.optional() }),
  reply: z.object({ items: z.array(Notification), unread: z.number(), next: z.string().nullable() }),
})

const oneOfBoth = 'Please send either ids or upTo'

/**
 * Marks notifications as read by the caller: those with these `ids`, or `upTo` one and all older ones, at most 1,000 in
 * one request: `unread` is what is left. Notifications that were
 * read before stay so. 404 when there is none of them.
 */
export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/read',
  access: 'member',
  body: z
    .strictObject({
      ids: z
        .array(NotificationId)
        .min(1, 'Please name at least one notification')
        .max(maxReadIds, `At most ${maxReadIds} notifications`)
        .optional(),
      upTo: NotificationId.optional(),
    })
    .refine(({ ids, upTo }) => (ids === undefined) !== (upTo === undefined), { path: ['ids'], message: oneOfBoth }),
  reply: z.object({ unread: z.number() }),
})

/** The notices that a person chose; all but `dailyDigest`, a message every morning, are on until they are switched off. */
export const NotificationChoices = z.strictObject({
  appointmentReminders: z.boolean({ error: 'Please send true or false' }),
  aiAlerts: z.boolean({ error: 'Please send true or false' }),
  formSubmissions: z.boolean({ error: 'Please send true or false' }),
  insuranceUpdates: z.boolean({ error: 'Please send true or false' }),
  dailyDigest: z.boolean({ error: 'Please send true or false' }),
})
export type NotificationChoices = z.infer<typeof NotificationChoices>

/** The choices of the caller. `revision` is null until one is changed; `outbox`: the installation sends no mail, it stores it. */
export const NotificationPreferences = z.object({
  choices: NotificationChoices,
  revision: z.number().nullable(),
  delivery: z.enum(['mail', 'outbox']),
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

/** Gets which notices the caller receives. */
export const getNotificationPreferences = endpoint({
  method: 'GET',
  path: '/api/notifications/preferences',
  access: 'member',
  reply: NotificationPreferences,
})

/**
 * Changes which notices the caller receives. `revision` is the one that was on screen, null when nothing had been changed; 409
 * `changed-meanwhile` with `changes` when it is stale.
 */
export const changeNotificationPreferences = endpoint({
  method: 'PATCH',
  path: '/api/notifications/preferences',
  access: 'member',
  body: z.strictObject({
    choices: NotificationChoices.partial(),
    revision: z.number().int().min(0).nullable().optional(),
  }),
  reply: NotificationPreferences,
})
