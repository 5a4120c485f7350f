import type { Appointment, NewAppointment } from '#contracts/appointments.ts'
import { AppointmentId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Member } from '#http/session.ts'
import { allInOrder } from '#modules/kit/all-in-order.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient, toSeenPatient } from '#modules/patients/public.ts'
import { requireProvider, toSeenProvider } from '#modules/providers/public.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import { createSlot, parseStart } from '#modules/schedule/public.ts'
import { withWaitlistEntry } from '#modules/waitlist/public.ts'
import { toNewReply, toReply } from './appointment-reply.ts'
import { findCalendarOf, requireConfirmation } from './booking-concerns.ts'
import { createCompletion } from './completion.ts'
import { reserveSlot, wasReserved } from './reservations.ts'
import { throwSlotTaken } from './slot-conflicts.ts'

/** Books an appointment; with `waitlistEntryId` it also removes the patient's waitlist entry. */
export async function bookAppointment(
  services: Services,
  caller: Member,
  body: NewAppointment,
  context: CommandContext,
): Promise<Appointment> {
  const { db, clock, keyStore, newId } = services
  const { practiceId } = caller
  const { patientId, duration, type, reason, notes, status, waitlistEntryId, allowOverlap, confirmed } = body
  const zone = caller.timezone
  const startsAt = parseStart(body.appointmentDate, zone)
  const [patient, provider, calendar] = await allInOrder([
    requirePatient(db, practiceId, patientId),
    requireProvider(services, caller, body.providerId, context),
    confirmed && findCalendarOf(db, practiceId, [{ startsAt, duration }], zone),
    // The event is encrypted with it later; a missing one is refused or created then.
    keyStore.getMany([patientId]).catch(() => undefined),
  ])
  const time = { startsAt, duration, providerId: provider.id }
  const circumstances = { zone, now: clock(), isPatientDeceased: patient.deceasedOn !== null }
  if (calendar) requireConfirmation([time], { ...circumstances, calendar }, confirmed)
  const slot = createSlot(provider, startsAt, duration, newId('slot'))
  const appointmentId = AppointmentId.parse(newId('appointment'))
  const seenPatient = toSeenPatient(patient)
  const seen = seenPatient ? [seenPatient, toSeenProvider(provider)] : undefined
  const run = async () => {
    const completion = await createCompletion(services, practiceId, type, status)
    const details = { type, reason, notes, status, completion }
    const ids = { appointmentId, practiceId, patientId, seriesId: null, waitlistEntryId: waitlistEntryId ?? null }
    const event: ReservationEvent = { type: 'SlotReservedForBooking', data: { ...ids, slot, ...details } }
    return await reserveSlot(services, event, context, { allowOverlap, seen }).catch((error: unknown) =>
      throwSlotTaken(services, error, caller, zone, slot),
    )
  }
  const toBooked = () => ({ appointmentId, startsAt: slot.startsAt })
  const booking = { run, wasRun: () => wasReserved(services, slot), toBooked }
  const result = await withWaitlistEntry(services, waitlistEntryId, { practiceId, patientId }, context, booking)
  return result.bookedAt === null
    ? await toReply(services, zone, result)
    : toNewReply(zone, result, result.bookedAt, patient)
}
