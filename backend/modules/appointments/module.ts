import { Router } from '@koa/router'
import type { Module } from '../module.ts'
import { appointmentBooking } from './book-appointment.ts'
import { CalendarFeedEvent } from '#modules/calendar-feeds/events.ts'
import { calendarFeedsProjection } from '#modules/calendar-feeds/projection.ts'
import { calendarRoutes } from '#modules/calendar-feeds/routes.ts'
import { createSchedulingContext } from './scheduling-context.ts'
import { AppointmentEvent } from './events.ts'
import { FeeEvent } from '#modules/fees/events.ts'
import { feeRoutes } from '#modules/fees/routes.ts'
import { resumeBooking } from './jobs.ts'
import { createReservations } from './reservations.ts'
import { resumeBookings } from './process-manager.ts'
import { appointmentPatientsProjection, appointmentsProjection } from './projection.ts'
import { appointmentRoutes } from './routes.ts'
import { sampleAppointments } from './sample.ts'
import { ScheduleEvent } from '#modules/schedule/events.ts'
import { SeriesEvent } from '#modules/series/events.ts'
import { seriesRoutes } from '#modules/series/routes.ts'
import { WaitlistEvent } from '#modules/waitlist/events.ts'
import { waitlistProjection } from '#modules/waitlist/projection.ts'
import { waitlistRoutes } from '#modules/waitlist/routes.ts'

/** The appointments of a practice, and who has which time of whom. */
export const appointments: Module = {
  name: 'appointments',
  events: [AppointmentEvent, ScheduleEvent, SeriesEvent, WaitlistEvent, FeeEvent, CalendarFeedEvent],
  projections: [appointmentsProjection, appointmentPatientsProjection, waitlistProjection, calendarFeedsProjection],
  processManagers: [resumeBookings],
  jobs: [resumeBooking],
  sample: sampleAppointments,
  routes(services) {
    const places = createReservations(services.bus, services.store)
    const desk = createSchedulingContext(services)
    const appointments = appointmentBooking(services, desk, places)
    // Those with a word of their own first: `/api/appointments/series` is no appointment's id.
    return new Router()
      .use(seriesRoutes(services, desk, appointments, places).routes())
      .use(calendarRoutes(services, desk).routes())
      .use(waitlistRoutes(services, desk).routes())
      .use(feeRoutes(services).routes())
      .use(appointmentRoutes(services, desk, appointments).routes()) as Router
  },
}
