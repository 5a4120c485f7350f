import { Router } from '@koa/router'
import * as contract from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { AppointmentId, type PracticeId, SeriesId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { isRepeatedRequest } from '#eventstore/request-scope.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import {
  addInsights,
  cancelAppointments,
  findSeriesAppointments,
  requireConfirmation,
} from '#modules/appointments/public.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { createSlot } from '#modules/schedule/public.ts'
import { bookSeriesAppointments } from './book-series.ts'
import { changeSeriesAppointments, type ExpectedRevision, findExpectedRevision } from './change-series.ts'
import { seriesDecider } from './decider.ts'
import { planSeries } from './plan-series.ts'

const finalStatuses = ['completed', 'cancelled', 'no-show']

/** Serves series of recurring appointments. */
export function seriesRoutes(services: Services): Router {
  const { bus, clock, newId } = services
  const router = new Router()

  serve(router, contract.previewSeries, async ({ caller, body }, { commandContext }) => {
    const { appointments } = await planSeries(services, caller, body, commandContext)
    return { appointments }
  })

  serve(router, contract.bookSeries, async ({ caller, body }, { commandContext: context }) => {
    const { practiceId } = caller
    const { idempotencyKey } = body
    const seriesId = SeriesId.parse(idempotencyKey === undefined ? newId('series') : deriveSeriesId(practiceId, body))
    const mayBePlanned = idempotencyKey !== undefined || isRepeatedRequest()
    const isPlanned = async () => mayBePlanned && (await bus.load(seriesDecider, seriesId)).state.known
    if (await isPlanned()) return await bookAndReply(services, caller, seriesId, context)
    const { appointments, overlapping, provider, ...patientAndZone } = await planSeries(services, caller, body, context)
    const times = appointments.map(({ start }) => ({
      startsAt: start,
      duration: body.duration,
      providerId: provider.id,
    }))
    requireConfirmation(times, { ...patientAndZone, now: clock() }, body.confirmed)
    if (appointments.some(({ conflict, index }) => conflict && !overlapping.has(index))) {
      // Of two identical concurrent requests, the second may find the appointments of the first in conflict.
      if (await isPlanned()) return await bookAndReply(services, caller, seriesId, context)
      const message = 'Some of these times are taken. Nothing was booked.'
      throw new ProblemError(409, 'series-conflicts', message, { appointments })
    }
    const { patientId, duration, type, reason, notes } = body
    const planned = appointments.map(({ index, start }) => ({
      index,
      appointmentId: AppointmentId.parse(newId(`appointment ${index}`)),
      slot: createSlot(provider, start, duration, newId(`slot ${index}`)),
      allowOverlap: overlapping.has(index),
    }))
    const plan = { seriesId, practiceId, patientId, type, reason, notes, appointments: planned }
    await bus.execute(seriesDecider, seriesId, { type: 'Plan', plan }, context, { consistency: 'eventual' })
    return await bookAndReply(services, caller, seriesId, context)
  })

  serve(router, contract.listSeries, async ({ caller, params: { seriesId } }) => {
    const { practiceId } = caller
    const appointments = await findSeriesAppointments(services, caller.timezone, practiceId, seriesId)
    if (appointments.length === 0) throw notFound('series')
    return await addInsights(services, caller, appointments)
  })

  serve(router, contract.changeSeries, async ({ caller, params: { seriesId }, body }, { commandContext }) => {
    const { appointmentId, scope, expectedRevisions, ...patch } = body
    const selected = await findInScope(services, caller.practiceId, seriesId, appointmentId, scope, expectedRevisions)
    const change = { ...selected, patch, expectedRevisions }
    const { appointments, notMoved } = await changeSeriesAppointments(services, caller, change, commandContext)
    return { appointments: await addInsights(services, caller, appointments), notMoved }
  })

  serve(router, contract.cancelSeries, async ({ caller, params: { seriesId }, body }, { commandContext }) => {
    const { practiceId } = caller
    const selected = await findInScope(services, practiceId, seriesId, body.appointmentId, body.scope, [])
    const ids = selected.appointments.map(({ id }) => id)
    const { keepOnDayList } = body
    return await cancelAppointments(services, { practiceId, ids, keepOnDayList }, commandContext)
  })

  return router
}

/** Books the rest of a planned series. Returns all its appointments and those that could not be booked. */
async function bookAndReply(services: Services, caller: Member, seriesId: SeriesId, context: CommandContext) {
  const { practiceId } = caller
  const missing = await bookSeriesAppointments(services, seriesId, context)
  const notBooked = missing.map(({ index, slot }) => ({ index, start: slot.startsAt, conflict: null }))
  const appointments = await findSeriesAppointments(services, caller.timezone, practiceId, seriesId)
  return { seriesId, appointments: await addInsights(services, caller, appointments), notBooked }
}

/** Finds the appointments of a series that a change concerns: upcoming ones, and always the one at which it was requested. */
async function findInScope(
  services: Services,
  practiceId: PracticeId,
  seriesId: SeriesId,
  appointmentId: string,
  scope: contract.SeriesScope,
  expectedRevisions: ExpectedRevision[],
) {
  const zone = await findTimeZone(services.db, practiceId)
  const all = await findSeriesAppointments(services, zone, practiceId, seriesId)
  const anchor = all.find(({ id }) => id === appointmentId)
  if (!anchor) throw notFound('appointment')
  const findStart = (appointment: Appointment) => findExpectedRevision(appointment, expectedRevisions).appointmentDate
  const from = scope === 'following' ? findStart(anchor) : services.clock().toISOString()
  const isInScope = (appointment: Appointment) =>
    !finalStatuses.includes(appointment.status) && (appointment.id === appointmentId || findStart(appointment) >= from)
  return { zone, anchor, appointments: all.filter(isInScope) }
}

/** Derives the same id for the same request of the same practice. Any difference in the request gives another series. */
const deriveSeriesId = (practiceId: PracticeId, request: object) =>
  deriveId(`series of ${practiceId}: ${JSON.stringify(request)}`)
