import type { Recorded } from '#eventstore/event.ts'
import { followUp, unlessSample } from '#modules/kit/follow-up.ts'
import { onPatientRemoved } from '#modules/patients/removal/public.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import type { ReservationEvent, ScheduleEvent, Slot } from '#modules/schedule/events.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'
import type { AppointmentEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = {
  confirmReservation: 'confirm-reservation',
  withdrawReservation: 'withdraw-reservation',
  releaseSlot: 'release-slot',
} as const

/**
 * The names of the jobs that cancel the appointments of a removed patient. `confirm-reservation` does what `finish-booking` did, which
 * only earlier versions have requested.
 */
export const cascadeNames = { removed: 'cancel-upcoming-appointments', added: 'finish-booking' } as const

/** Returns the ids of a slot, without patient data. */
const toReference = ({ providerId, days, reservationId }: Slot) => ({ providerId, days, reservationId })

/** Returns the ids of a slot with those of its appointment. */
const toSlot = ({ appointmentId, slot }: { appointmentId: string; slot: Slot }) => ({
  appointmentId,
  ...toReference(slot),
})

const confirm = (event: Recorded<ReservationEvent>) =>
  event.data.isConfirmed ? [] : unlessSample(event, followUp(event, jobNames.confirmReservation, toSlot(event.data)))

const release = (event: Recorded & { data: { isReleased?: boolean | undefined } }, slot: Slot) =>
  event.data.isReleased
    ? []
    : followUp(event, jobNames.releaseSlot, { practiceId: event.metadata.practiceId, ...toReference(slot) })

/**
 * Completes interrupted bookings, moves and cancellations (see reservations.ts), and cancels the upcoming appointments of a
 * removed patient, also one that was being booked.
 */
export const resumeBookings = defineProcessManager<ScheduleEvent | AppointmentEvent | PatientEvent>({
  name: 'resume-bookings',
  on: {
    SlotReservedForBooking: confirm,
    SlotReservedForMove: confirm,
    SecondDayReserved: (event) => followUp(event, jobNames.withdrawReservation, toSlot(event.data)),
    AppointmentRescheduled: (event) => release(event, event.data.from),
    AppointmentCancelled: (event) => unlessSample(event, release(event, event.data.slot)),
    AppointmentRemoved: (event) => unlessSample(event, release(event, event.data.slot)),
    PatientRemoved: (event) => onPatientRemoved(event, cascadeNames),
  },
})
