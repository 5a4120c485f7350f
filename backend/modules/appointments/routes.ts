import { Router } from '@koa/router'
import * as contract from '#contracts/appointments.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { addDays, toLocalDateTime } from '#contracts/values/calendar.ts'
import { dayBounds } from '#modules/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { requireProvider } from '#modules/providers/public.ts'
import { parseStart } from '#modules/schedule/public.ts'
import { bookAppointment } from './book-appointment.ts'
import { cancelAppointment } from './cancel-appointment.ts'
import { changeAppointment } from './change-appointment.ts'
import { computeFreeSlots } from './free-slots.ts'
import { findAppointment, findAppointments, findBusySlots } from './queries.ts'

/** Serves the appointments of a practice. */
export function appointmentRoutes(services: Services): Router {
  const { db, clock } = services
  const router = new Router()

  serve(router, contract.listAppointments, async ({ caller: { practiceId }, query }) => {
    const { startDate: from, endDate: until, ...filter } = query
    return await findAppointments(db, await findTimeZone(db, practiceId), { practiceId, from, until, ...filter })
  })

  serve(router, contract.todaysAppointments, async ({ caller: { practiceId } }) => {
    const zone = await findTimeZone(db, practiceId)
    const { from, until } = dayBounds(toLocalDateTime(clock(), zone).date, zone)
    // Excludes an appointment that starts at the first instant of the next day.
    const last = new Date(Date.parse(until) - 1).toISOString()
    return await findAppointments(db, zone, { practiceId, from, until: last })
  })

  serve(router, contract.freeSlots, async ({ caller, query }, { commandContext }) => {
    const { duration, days, limit, excluding } = query
    const zone = await findTimeZone(db, caller.practiceId)
    const { id: providerId } = await requireProvider(services, caller, query.providerId, commandContext)
    const from = query.from === undefined ? clock().toISOString() : parseStart(query.from, zone, 'from')
    const until = dayBounds(addDays(toLocalDateTime(from, zone).date, days + 1), zone).until
    const busy = (await findBusySlots(db, providerId, from, until)).filter(
      ({ appointmentId }) => appointmentId !== excluding,
    )
    return computeFreeSlots({ providerId, zone, duration, from, days, busy }).slice(0, limit)
  })

  serve(router, contract.getAppointment, async ({ caller: { practiceId }, params }) => {
    const zone = await findTimeZone(db, practiceId)
    const appointment = await findAppointment(db, zone, practiceId, params.appointmentId)
    if (!appointment) throw notFound('appointment')
    return appointment
  })

  serve(router, contract.bookAppointment, ({ caller, body }, { commandContext }) =>
    bookAppointment(services, caller, body, commandContext),
  )

  serve(router, contract.changeAppointment, ({ caller, params, body }, { commandContext }) =>
    changeAppointment(services, caller, params.appointmentId, body, commandContext),
  )

  serve(router, contract.cancelAppointment, async ({ caller, params }, { commandContext }) => {
    await cancelAppointment(services, caller.practiceId, params.appointmentId, false, commandContext)
    return null
  })

  return router
}
