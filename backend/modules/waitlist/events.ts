import { z } from 'zod'
import { AppointmentId, PatientId, PracticeId, ProviderId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { event, phi } from '#eventstore/event.ts'
import { patientEvent } from '#modules/appointments/events.ts'

const waitlistEntryId = WaitlistEntryId
const patientId = PatientId

/** A patient waits for an earlier slot, and does not any more. */
export const WaitlistEvent = z.discriminatedUnion('type', [
  /** `earliest` and `latest` are days on the practice's calendar; `appointmentId` is the later appointment they have meanwhile. */
  patientEvent('PatientAddedToWaitlist', {
    waitlistEntryId,
    practiceId: PracticeId,
    patientId,
    providerId: ProviderId.nullable(),
    type: AppointmentType,
    duration: z.number().int().positive(),
    earliest: phi(z.iso.date().nullable()),
    latest: phi(z.iso.date().nullable()),
    appointmentId: AppointmentId.nullable(),
    notes: phi(z.string().nullable()),
  }),
  event('PatientTakenOffWaitlist', {
    waitlistEntryId,
    patientId,
    reason: z.enum(['asked', 'booked', 'patient-removed']),
  }),
])
export type WaitlistEvent = z.infer<typeof WaitlistEvent>
