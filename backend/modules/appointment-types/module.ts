import type { Module } from '#modules/module.ts'
import { AppointmentTypeEvent, appointmentTypeUpcasters } from './events.ts'
import { appointmentTypeRoutes } from './routes.ts'

/** Appointment types: the usual duration, the fee and the color that a practice sets for each. */
export const appointmentTypes: Module = {
  name: 'appointment-types',
  events: [AppointmentTypeEvent],
  upcasters: appointmentTypeUpcasters,
  liveUpdates: [{ kinds: ['practice'], events: [AppointmentTypeEvent] }],
  routes: appointmentTypeRoutes,
}
