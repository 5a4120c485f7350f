import { z } from 'zod'
import { AppointmentId, PatientId, PracticeId, ProviderId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { event, eventAbout, phi } from '#eventstore/event.ts'

const patientEvent = eventAbout('patientId')
const waitlistEntryId = WaitlistEntryId
const patientId = PatientId

const wishes = {
  providerId: ProviderId.nullable(),
  type: AppointmentType,
  duration: z.number().int().positive(),
  earliest: phi(z.iso.date().nullable()),
  latest: phi(z.iso.date().nullable()),
  appointmentId: AppointmentId.nullable(),
  notes: phi(z.string().nullable()),
}
const entry = { waitlistEntryId, practiceId: PracticeId, patientId, ...wishes }

/** The history of one waitlist entry: a patient who would like an earlier slot. */
export const WaitlistEvent = z.discriminatedUnion('type', [
  /** `earliest` and `latest` are local dates of the practice; `appointmentId` is the patient's later appointment. */
  patientEvent('PatientAddedToWaitlist', entry),
  /** The wishes that differ, before and after. */
  patientEvent('WaitlistEntryChanged', {
    waitlistEntryId,
    patientId,
    from: z.strictObject(wishes).partial(),
    to: z.strictObject(wishes).partial(),
  }),
  event('PatientRemovedFromWaitlist', {
    waitlistEntryId,
    patientId,
    reason: z.enum(['requested', 'booked', 'patient-removed']),
    /** The appointment that was booked or moved for it, at its start then; missing in older events. */
    booked: z.object({ appointmentId: AppointmentId, startsAt: z.iso.datetime() }).optional(),
  }),
  /** The appointment was cancelled, and the patient waits again, at the same place: since `waitingSince`. */
  patientEvent('PatientReturnedToWaitlist', { ...entry, waitingSince: z.iso.datetime() }),
])
export type WaitlistEvent = z.infer<typeof WaitlistEvent>
