import type { Module } from '#modules/module.ts'
import { AppointmentEvent } from './events.ts'
import { heldSlotsMigration } from './held-slots.ts'
import { cancelForRemovedPatient, confirmReservation, releaseSlot, withdrawReservation } from './jobs.ts'
import { resumeBookings } from './process-manager.ts'
import { appointmentPatientsProjection, appointmentsProjection, pendingReservationsProjection } from './projection.ts'
import { appointmentRoutes } from './routes.ts'
import { sampleAppointments } from './sample.ts'

/** The appointments of a practice. */
export const appointments: Module = {
  name: 'appointments',
  events: [AppointmentEvent],
  projections: [appointmentsProjection, appointmentPatientsProjection, pendingReservationsProjection],
  processManagers: [resumeBookings],
  jobs: [confirmReservation, withdrawReservation, releaseSlot, ...Object.values(cancelForRemovedPatient)],
  migrations: [heldSlotsMigration],
  sample: sampleAppointments,
  liveUpdates: [{ kinds: ['appointments'], events: [AppointmentEvent] }],
  routes: appointmentRoutes,
}
