import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId, ProviderId, WaitlistEntryId } from './values/ids.ts'
import { PersonName } from './values/person-name.ts'
import { optionalText } from './values/text.ts'
import { AppointmentType, CalendarDay, Duration, defaultDuration, AppointmentTime } from './values/appointments.ts'

/** A patient who would like an earlier slot. Dates are in the practice's time zone. */
export const WaitlistEntry = z.object({
  id: WaitlistEntryId,
  patientId: PatientId,
  patient: PersonName,
  /** True when the patient is recorded as deceased. */
  patientDeceased: z.boolean(),
  /** The requested provider; null for any. */
  providerId: ProviderId.nullable(),
  type: AppointmentType,
  duration: z.number(),
  /** The first day that suits; null for any. */
  earliest: z.string().nullable(),
  /** The last day that suits; null for any. */
  latest: z.string().nullable(),
  /** The patient's later appointment, which is moved instead of booking a second one; null also once it is cancelled. */
  appointmentId: AppointmentId.nullable(),
  /** The start of that appointment, an ISO instant. */
  appointmentDate: z.string().nullable(),
  notes: z.string().nullable(),
  waitingSince: z.string(),
  /** True when no slot can suit any more: the last day is over, or the patient's own appointment has begun. */
  isOver: z.boolean(),
})
export type WaitlistEntry = z.infer<typeof WaitlistEntry>

const wishes = {
  providerId: ProviderId.nullable(),
  type: AppointmentType,
  duration: Duration,
  earliest: CalendarDay.nullable(),
  latest: CalendarDay.nullable(),
  appointmentId: AppointmentId.nullable(),
  notes: optionalText(1_000),
}

export const NewWaitlistEntry = z
  .strictObject({
    patientId: PatientId,
    providerId: wishes.providerId.default(null),
    type: wishes.type,
    duration: wishes.duration.default(defaultDuration),
    earliest: wishes.earliest.default(null),
    latest: wishes.latest.default(null),
    appointmentId: wishes.appointmentId.default(null),
    notes: wishes.notes.default(null),
  })
  .refine(({ earliest, latest }) => !earliest || !latest || earliest <= latest, {
    path: ['latest'],
    error: 'Must not be before the first day',
  })
export type NewWaitlistEntry = z.output<typeof NewWaitlistEntry>

/** The fields to change. */
export const WaitlistEntryChange = z.strictObject(wishes).partial()
export type WaitlistEntryChange = z.output<typeof WaitlistEntryChange>

/** Lists the entries, longest wait first. */
export const listWaitlist = endpoint({
  method: 'GET',
  path: '/api/waitlist',
  access: { permission: 'scheduling' },
  reply: z.array(WaitlistEntry),
})

/**
 * Adds a patient. 409 `patient-deceased` for one who has died, `appointment-not-open` for an `appointmentId` that is cancelled or has
 * begun; 404 for a patient, provider or appointment of another practice.
 */
export const addToWaitlist = endpoint({
  method: 'POST',
  path: '/api/waitlist',
  access: { permission: 'scheduling' },
  body: NewWaitlistEntry,
  reply: WaitlistEntry,
  status: 201,
})

/** Changes what a patient waits for; the place on the list stays. Problems as for addToWaitlist; also 409 `days-reversed`. */
export const changeWaitlistEntry = endpoint({
  method: 'PATCH',
  path: '/api/waitlist/:waitlistEntryId',
  access: { permission: 'scheduling' },
  params: z.object({ waitlistEntryId: WaitlistEntryId }),
  body: WaitlistEntryChange,
  reply: WaitlistEntry,
})

export const removeFromWaitlist = endpoint({
  method: 'DELETE',
  path: '/api/waitlist/:waitlistEntryId',
  access: { permission: 'scheduling' },
  params: z.object({ waitlistEntryId: WaitlistEntryId }),
  reply: z.null(),
})

/**
 * Lists the three entries that fit a slot best: emergencies first, then requests for this provider, then the longest wait;
 * without patients who have died.
 * To book one, use bookAppointment or, for an entry with `appointmentId`, changeAppointment; both remove the entry given as
 * `waitlistEntryId`.
 */
export const waitlistCandidates = endpoint({
  method: 'GET',
  path: '/api/waitlist/candidates',
  access: { permission: 'scheduling' },
  query: z.object({
    providerId: ProviderId,
    start: AppointmentTime,
    /** Free minutes from `start` on. */
    duration: z.coerce.number().pipe(Duration).default(defaultDuration),
  }),
  reply: z.array(WaitlistEntry),
})

/** Returns the entry for which an appointment was booked or moved; null without one, and once it waits again. */
export const findBookedWaitlistEntry = endpoint({
  method: 'GET',
  path: '/api/waitlist/booked',
  access: { permission: 'scheduling' },
  query: z.object({ appointmentId: AppointmentId }),
  reply: WaitlistEntry.nullable(),
})

/**
 * Puts the patient of a cancelled appointment back on the waitlist, at the same place: with the time since when the patient waits.
 * 409 `still-booked` while the appointment that was booked for the entry is not cancelled; 404 for an entry that was removed for
 * another reason; 409 `patient-deceased`.
 */
export const returnToWaitlist = endpoint({
  method: 'POST',
  path: '/api/waitlist/:waitlistEntryId/return',
  access: { permission: 'scheduling' },
  params: z.object({ waitlistEntryId: WaitlistEntryId }),
  reply: WaitlistEntry,
})
