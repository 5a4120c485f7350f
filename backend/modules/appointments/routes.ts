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
import { type SchedulingContext, notFound } from './desk.ts'
import { computeFreeSlots } from './free-slots.ts'
import { dayBounds, toLocalTime, addDays } from './local-time.ts'
import { findBusySlots, findVisit, findVisits } from './queries.ts'
import type { VisitBooking } from './booking.ts'

/** The day at the desk: visits of a practice over HTTP. */
export function visitRoutes({ db, clock }: Services, desk: SchedulingContext, visits: VisitBooking): Router {
  const router = new Router()

  serve(router, listAppointments, async ({ caller: { practiceId }, query }) => {
    const { startDate: from, endDate: until, ...filter } = query
    return await findVisits(db, await desk.zone(practiceId), { practiceId, from, until, ...filter })
  })

  serve(router, todaysAppointments, async ({ caller: { practiceId } }) => {
    const zone = await desk.zone(practiceId)
    const { from, until } = dayBounds(toLocalTime(clock(), zone).date, zone)
    // The next day's first visit may begin at that very instant.
    const last = new Date(Date.parse(until) - 1).toISOString()
    return await findVisits(db, zone, { practiceId, from, until: last })
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
    const visit = await findVisit(db, await desk.zone(practiceId), practiceId, params.appointmentId)
    if (!visit) throw notFound('appointment')
    return visit
  })

  serve(router, bookAppointment, ({ caller, body }, { commandContext: context }) => visits.book(caller, body, context))

  serve(router, changeAppointment, ({ caller, params, body }, { commandContext: context }) =>
    visits.change(caller, params.appointmentId, body, context),
  )

  serve(router, cancelAppointment, async ({ caller, params }, { commandContext: context }) => {
    await visits.cancel(caller.practiceId, params.appointmentId, false, context)
    return null
  })

  return router
}
