import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId, ProviderId, WaitlistEntryId } from './values/ids.ts'
import { optionalText } from './values/text.ts'
import { AppointmentType, CalendarDay, Duration, defaultDuration, AppointmentTime } from './values/appointments.ts'

/** A patient who would come earlier. Days are the practice's own. */
export const WaitlistEntry = z.object({
  id: WaitlistEntryId,
  patientId: PatientId,
  patient: z.object({ firstName: z.string(), lastName: z.string() }),
  /** Null: any provider. */
  providerId: ProviderId.nullable(),
  type: AppointmentType,
  duration: z.number(),
  /** The first day that suits; null: at once. */
  earliest: z.string().nullable(),
  /** The last day that suits; null: any. */
  latest: z.string().nullable(),
  /** The later appointment the patient has meanwhile, which is moved instead of booking a second one. */
  appointmentId: AppointmentId.nullable(),
  notes: z.string().nullable(),
  waitingSince: z.string(),
})
export type WaitlistEntry = z.infer<typeof WaitlistEntry>

export const NewWaitlistEntry = z
  .strictObject({
    patientId: PatientId,
    providerId: ProviderId.nullable().default(null),
    type: AppointmentType,
    duration: Duration.default(defaultDuration),
    earliest: CalendarDay.nullable().default(null),
    latest: CalendarDay.nullable().default(null),
    appointmentId: AppointmentId.nullable().default(null),
    notes: optionalText(1_000).default(null),
  })
  .refine(({ earliest, latest }) => !earliest || !latest || earliest <= latest, {
    path: ['latest'],
    error: 'Must not be before the first day',
  })
export type NewWaitlistEntry = z.output<typeof NewWaitlistEntry>

/** Who waits, longest first. */
export const listWaitlist = endpoint({
  method: 'GET',
  path: '/api/waitlist',
  access: { permission: 'scheduling' },
  reply: z.array(WaitlistEntry),
})

export const addToWaitlist = endpoint({
  method: 'POST',
  path: '/api/waitlist',
  access: { permission: 'scheduling' },
  body: NewWaitlistEntry,
  reply: WaitlistEntry,
  status: 201,
})

export const removeFromWaitlist = endpoint({
  method: 'DELETE',
  path: '/api/waitlist/:waitlistEntryId',
  access: { permission: 'scheduling' },
  params: z.object({ waitlistEntryId: WaitlistEntryId }),
  reply: z.null(),
})

/**
 * The three who fit a slot best: emergencies first, then those who asked for this very provider, then who waits longest.
 * To book one: bookAppointment or, where they have `appointmentId`, changeAppointment; with `waitlistEntryId` either of them ends the
 * waiting.
 */
export const waitlistCandidates = endpoint({
  method: 'GET',
  path: '/api/waitlist/candidates',
  access: { permission: 'scheduling' },
  query: z.strictObject({
    providerId: ProviderId,
    start: AppointmentTime,
    /** Minutes that are free from then on. */
    duration: z.coerce.number().pipe(Duration).default(defaultDuration),
  }),
  reply: z.array(WaitlistEntry),
})
