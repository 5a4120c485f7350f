import { Router } from '@koa/router'
import {
  bookSeries,
  cancelSeries,
  changeSeries,
  listSeries,
  previewSeries,
  type SeriesScope,
} from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { AppointmentId, type PracticeId, SeriesId } from '#contracts/values/ids.ts'
import { type CommandContext, deriveId } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import type { AppointmentBooking } from '#modules/appointments/book-appointment.ts'
import { type SchedulingContext, notFound } from '#modules/appointments/scheduling-context.ts'
import type { Reservations } from '#modules/appointments/reservations.ts'
import { findSeriesAppointments } from '#modules/appointments/queries.ts'
import { bookSeriesAppointments } from './book-series.ts'
import { expectedRevisionOf, changeSeriesAppointments, type SeriesChange } from './change-series.ts'
import { seriesDecider } from './decider.ts'
import { planSeries } from './plan-series.ts'

const over = ['completed', 'cancelled', 'no-show']

/** Recurring appointments: what is in the way, booking the row, and changing several of its appointments at once. */
export function seriesRoutes(
  services: Services,
  desk: SchedulingContext,
  appointments: AppointmentBooking,
  places: Reservations,
): Router {
  const { bus, db, clock, newId, logger } = services
  const router = new Router()

  serve(router, previewSeries, async ({ caller, body }) => {
    const plan = await planSeries(services, desk, caller, body)
    return { appointments: plan.appointments }
  })

  serve(router, bookSeries, async ({ caller, body }, { commandContext: context }) => {
    const { practiceId } = caller
    const seriesId = SeriesId.parse(body.attempt === undefined ? newId() : deriveSeriesId(practiceId, body))
    const isKnown = async () => body.attempt !== undefined && (await bus.load(seriesDecider, seriesId)).state.known
    if (await isKnown()) return await bookRow(practiceId, seriesId, context)
    const plan = await planSeries(services, desk, caller, body)
    if (plan.appointments.some(({ conflict, index }) => conflict && !plan.overlapping.has(index))) {
      // Asked twice at the same moment: what is in the way may be this very row.
      if (await isKnown()) return await bookRow(practiceId, seriesId, context)
      throw new ProblemError(409, 'series-conflicts', 'Some of these times are taken. Nothing was booked.', {
        appointments: plan.appointments,
      })
    }
    const { patientId, duration, type, reason, notes } = body
    const planned = plan.appointments.map(({ index, start }) => ({
      index,
      appointmentId: AppointmentId.parse(newId()),
      place: desk.placeFor(plan.provider, start, duration),
      allowOverlap: plan.overlapping.has(index),
    }))
    const about = { seriesId, practiceId, patientId, type, reason, notes, appointments: planned }
    await bus.execute(seriesDecider, seriesId, { type: 'Plan', plan: about }, context, { dontWait: true })
    return await bookRow(practiceId, seriesId, context)
  })

  serve(router, listSeries, async ({ caller: { practiceId }, params: { seriesId } }) => {
    const row = await findSeriesAppointments(db, await desk.zone(practiceId), practiceId, seriesId)
    if (row.length === 0) throw notFound('row of appointments')
    return row
  })

  serve(router, changeSeries, async ({ caller, params: { seriesId }, body }, { commandContext: context }) => {
    const { appointmentId, scope, seen, ...change } = body
    const chosen = await inScope(caller, seriesId, appointmentId, scope, seen)
    return await changeSeriesAppointments(services, desk, appointments, caller, { ...chosen, change, seen }, context)
  })

  serve(router, cancelSeries, async ({ caller, params: { seriesId }, body }, { commandContext: context }) => {
    const chosen = await inScope(caller, seriesId, body.appointmentId, body.scope, [])
    const ids = chosen.appointments.map(({ id }) => id)
    for (const [index, id] of ids.entries()) {
      try {
        await appointments.cancel(caller.practiceId, id, body.listed, context)
      } catch (error) {
        if (index === 0) throw error
        logger.error({ err: error, seriesId }, 'A row of appointments was cancelled only in part')
        return { cancelled: ids.slice(0, index), notCancelled: ids.slice(index) }
      }
    }
    return { cancelled: ids, notCancelled: [] }
  })

  /** Books what is not booked yet of a planned row, and answers the whole row. */
  async function bookRow(practiceId: PracticeId, seriesId: SeriesId, context: CommandContext) {
    const missing = await bookSeriesAppointments(bus, places, seriesId, context)
    const { state } = await bus.load(seriesDecider, seriesId)
    const planned = state.known ? state.plan.appointments : []
    const notBooked = planned.flatMap(({ index, appointmentId, place }) =>
      missing.includes(appointmentId) ? [{ index, start: place.startsAt, conflict: null }] : [],
    )
    const appointments = await findSeriesAppointments(db, await desk.zone(practiceId), practiceId, seriesId)
    return { seriesId, appointments, notBooked }
  }

  /** Those still to come of a row; the appointment the change is asked at is always one of them. */
  async function inScope(
    { practiceId }: Member,
    seriesId: SeriesId,
    appointmentId: string,
    scope: SeriesScope,
    seen: SeriesChange['seen'],
  ) {
    const zone = await desk.zone(practiceId)
    const all = await findSeriesAppointments(db, zone, practiceId, seriesId)
    const anchor = all.find(({ id }) => id === appointmentId)
    if (!anchor) throw notFound('appointment')
    const now = clock().toISOString()
    const from = scope === 'following' ? expectedRevisionOf(anchor, seen).appointmentDate : now
    const isToCome = (appointment: Appointment) =>
      !over.includes(appointment.status) &&
      (appointment.id === appointmentId || expectedRevisionOf(appointment, seen).appointmentDate >= from)
    return { zone, anchor, appointments: all.filter(isToCome) }
  }

  return router
}

/** The same for the same wish alone: with something else in it, or from another practice, it is another row. */
const deriveSeriesId = (practiceId: PracticeId, wish: object) =>
  deriveId(`row of appointments of ${practiceId}: ${JSON.stringify(wish)}`)
