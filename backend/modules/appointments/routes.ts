import { Router } from '@koa/router'
import {
  bookAppointment,
  cancelAppointment,
  changeAppointment,
  freeSlots,
  getAppointment,
  listAppointments,
  todaysAppointments,
} from '#contracts/appointments.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '../module.ts'
import { type SchedulingContext, notFound } from './scheduling-context.ts'
import { computeFreeSlots } from './free-slots.ts'
import { dayBounds, toLocalTime, addDays } from '#modules/local-time.ts'
import { findBusySlots, findAppointment, findAppointments } from './queries.ts'
import type { AppointmentBooking } from './book-appointment.ts'

/** The day at the desk: appointments of a practice over HTTP. */
export function appointmentRoutes(
  { db, clock }: Services,
  desk: SchedulingContext,
  appointments: AppointmentBooking,
): Router {
  const router = new Router()

  serve(router, listAppointments, async ({ caller: { practiceId }, query }) => {
    const { startDate: from, endDate: until, ...filter } = query
    return await findAppointments(db, await desk.zone(practiceId), { practiceId, from, until, ...filter })
  })

  serve(router, todaysAppointments, async ({ caller: { practiceId } }) => {
    const zone = await desk.zone(practiceId)
    const { from, until } = dayBounds(toLocalTime(clock(), zone).date, zone)
    // The next day's first appointment may begin at that very instant.
    const last = new Date(Date.parse(until) - 1).toISOString()
    return await findAppointments(db, zone, { practiceId, from, until: last })
  })

  serve(router, freeSlots, async ({ caller, query }) => {
    const { duration, days, limit, excluding } = query
    const zone = await desk.zone(caller.practiceId)
    const provider = await desk.provider(caller, query.providerId)
    const from = query.from === undefined ? clock().toISOString() : desk.moment(query.from, zone, 'from')
    const until = dayBounds(addDays(toLocalTime(from, zone).date, days + 1), zone).until
    const booked = await findBusySlots(db, provider.id, from, until)
    const busy = booked.filter(({ id }) => id !== excluding)
    return computeFreeSlots({ providerId: provider.id, zone, duration, from, days, busy }).slice(0, limit)
  })

  serve(router, getAppointment, async ({ caller: { practiceId }, params }) => {
    const appointment = await findAppointment(db, await desk.zone(practiceId), practiceId, params.appointmentId)
    if (!appointment) throw notFound('appointment')
    return appointment
  })

  serve(router, bookAppointment, ({ caller, body }, { commandContext: context }) =>
    appointments.book(caller, body, context),
  )

  serve(router, changeAppointment, ({ caller, params, body }, { commandContext: context }) =>
    appointments.change(caller, params.appointmentId, body, context),
  )

  serve(router, cancelAppointment, async ({ caller, params }, { commandContext: context }) => {
    await appointments.cancel(caller.practiceId, params.appointmentId, false, context)
    return null
  })

  return router
}
