import { Router } from '@koa/router'
import type { Module } from '../module.ts'
import { visitBooking } from './booking.ts'
import { createDesk } from './desk.ts'
import { AppointmentEvent } from './events.ts'
import { FeeEvent } from './fees/events.ts'
import { placing } from './placing.ts'
import { appointmentPatientsProjection, appointmentsProjection } from './projection.ts'
import { visitRoutes } from './routes.ts'
import { ScheduleEvent } from './schedule/events.ts'

/** The visits of a practice, and who has which time of whom. */
export const appointments: Module = {
  name: 'appointments',
  events: [AppointmentEvent, ScheduleEvent, FeeEvent],
  projections: [appointmentsProjection, appointmentPatientsProjection],
  routes(services) {
    const places = placing(services.bus, services.store)
    const desk = createDesk(services)
    const visits = visitBooking(services, desk, places)
    return new Router().use(visitRoutes(services, desk, visits).routes()) as Router
  },
}
