import { Router } from '@koa/router'
import type { Module } from '../module.ts'
import { appointmentBooking } from './booking.ts'
import { CalendarFeedEvent } from './calendar/events.ts'
import { calendarFeedsProjection } from './calendar/projection.ts'
import { calendarRoutes } from './calendar/routes.ts'
import { createSchedulingContext } from './desk.ts'
import { AppointmentEvent } from './events.ts'
import { FeeEvent } from './fees/events.ts'
import { feeRoutes } from './fees/routes.ts'
import { resumeBooking } from './jobs.ts'
import { createReservations } from './placing.ts'
import { resumeBookings } from './process-manager.ts'
import { appointmentPatientsProjection, appointmentsProjection } from './projection.ts'
import { appointmentRoutes } from './routes.ts'
import { sampleAppointments } from './sample.ts'
import { ScheduleEvent } from './schedule/events.ts'
import { SeriesEvent } from './series/events.ts'
import { seriesRoutes } from './series/routes.ts'
import { WaitlistEvent } from './waitlist/events.ts'
import { waitlistProjection } from './waitlist/projection.ts'
import { waitlistRoutes } from './waitlist/routes.ts'

/** The appointments of a practice, and who has which time of whom. */
export const appointments: Module = {
  name: 'appointments',
  events: [AppointmentEvent, ScheduleEvent, SeriesEvent, WaitlistEvent, FeeEvent, CalendarFeedEvent],
  projections: [appointmentsProjection, appointmentPatientsProjection, waitlistProjection, calendarFeedsProjection],
  processManagers: [resumeBookings],
  jobs: [resumeBooking],
  sample: sampleAppointments,
  liveUpdates: [
    { kinds: ['appointments'], events: [AppointmentEvent] },
    { kinds: ['waitlist'], events: [WaitlistEvent] },
    { kinds: ['practice'], events: [FeeEvent, CalendarFeedEvent] },
  ],
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
