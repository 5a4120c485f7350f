import { Router } from '@koa/router'
import * as contract from '#contracts/appointments.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { shareReply } from '#http/shared-replies.ts'
import { CalendarDay } from '#contracts/values/appointments.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { dayBounds } from '#modules/kit/local-time.ts'
import { findCoverage } from '#modules/insights/public.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import { requireProvider } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { parseStart } from '#modules/schedule/public.ts'
import { bookAppointment } from './book-appointment.ts'
import { cancelAppointment, cancelAppointments } from './cancel-appointment.ts'
import { changeAppointment } from './change-appointment.ts'
import { findFreeSlots } from './find-free-slots.ts'
import { addInsight, addInsights } from './insights.ts'
import { findAppointments } from './day-list.ts'
import { findAppointment, findBusyDays, findOpenAppointments, findPatientAppointments } from './queries.ts'
import { searchAppointments } from './search.ts'

/** Serves the appointments of a practice. */
export function appointmentRoutes(services: Services): Router {
  const { db, clock } = services
  const router = new Router()

  serve(router, contract.listAppointments, async ({ caller, query }) => {
    const { startDate: from, endDate: until, ...filter } = query
    const zone = caller.timezone
    return shareReply(await findAppointments(services, caller, zone, { from, until, ...filter }))
  })

  serve(router, contract.listBusyDays, async ({ caller, query }) => [
    ...(await findBusyDays(db, recordScope(caller), caller.timezone, query)),
  ])

  serve(router, contract.listPatientAppointments, async ({ caller, params, query }, { setHeader }) => {
    const { practiceId } = caller
    const { id: patientId } = await requirePatient(db, practiceId, params.patientId)
    const request = { scope: recordScope(caller), patientId, now: clock(), ...query }
    const { appointments, total } = await findPatientAppointments(services, caller.timezone, request)
    setHeader('X-Total-Count', String(total))
    return await addInsights(services, caller, appointments)
  })

  serve(router, contract.cancelPatientAppointments, async ({ caller, params }, { commandContext }) => {
    const { practiceId } = caller
    const { id: patientId } = await requirePatient(db, practiceId, params.patientId)
    const ids = await findOpenAppointments(db, recordScope(caller), patientId, clock())
    return await cancelAppointments(services, { practiceId, ids, keepOnDayList: false }, commandContext)
  })

  serve(router, contract.todaysAppointments, async ({ caller }) => {
    const zone = caller.timezone
    const { from, until } = dayBounds(toLocalDateTime(clock(), zone).date, zone)
    // Excludes an appointment that starts at the first instant of the next day.
    const last = new Date(Date.parse(until) - 1).toISOString()
    return shareReply(await findAppointments(services, caller, zone, { from, until: last }))
  })

  serve(router, contract.freeSlots, async ({ caller, query }, { commandContext }) => {
    const { duration, days, limit, excluding } = query
    const zone = caller.timezone
    const { id: providerId } = await requireProvider(services, caller, query.providerId, commandContext)
    const from = query.from === undefined ? clock().toISOString() : parseFrom(query.from, zone)
    const search = { providerId, zone, duration, from, days, excluding, now: clock().toISOString() }
    return (await findFreeSlots(db, recordScope(caller), search)).slice(0, limit)
  })

  serve(router, contract.searchAppointments, async ({ caller, query: { search, limit } }) => {
    const zone = caller.timezone
    const found = await searchAppointments(services, { scope: recordScope(caller), zone, search, limit, now: clock() })
    return await addInsights(services, caller, found)
  })

  serve(router, contract.getAppointment, async ({ caller, params }) => {
    const { practiceId } = caller
    const zone = caller.timezone
    const appointment = await findAppointment(services, zone, practiceId, params.appointmentId)
    if (!appointment) throw notFound('appointment')
    const [withInsight, coverage] = await Promise.all([
      addInsight(services, caller, appointment),
      findCoverage(db, recordScope(caller), appointment.patientId, appointment.localDate),
    ])
    return { ...withInsight, coverage }
  })

  serve(router, contract.bookAppointment, async ({ caller, body }, { commandContext }) =>
    addInsight(services, caller, await bookAppointment(services, caller, body, commandContext)),
  )

  serve(router, contract.changeAppointment, async ({ caller, params, body }, { commandContext }) =>
    addInsight(services, caller, await changeAppointment(services, caller, params.appointmentId, body, commandContext)),
  )

  serve(router, contract.cancelAppointment, async ({ caller, params }, { commandContext }) => {
    await cancelAppointment(services, caller.practiceId, params.appointmentId, false, commandContext)
    return null
  })

  return router
}

/** Returns the first instant of a day (YYYY-MM-DD), or the instant of a start as entered. */
const parseFrom = (text: string, zone: string): string =>
  CalendarDay.safeParse(text).success ? dayBounds(text, zone).from : parseStart(text, zone, 'from')
