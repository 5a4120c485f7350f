import type { AppointmentId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { SeriesEvent } from './events.ts'

/** A planned series, with the ids of all its appointments. */
export type PlannedSeries = Extract<SeriesEvent, { type: 'SeriesPlanned' }>['data']

/** Commands for one series. */
export type SeriesCommand = { type: 'Plan'; plan: PlannedSeries } | { type: 'NotBooked'; appointmentId: AppointmentId }

/** A series as it was planned, and those of its appointments that could not be booked. */
export type SeriesState = { known: false } | { known: true; plan: PlannedSeries; notBooked: readonly AppointmentId[] }

/** The rules of a series: it is planned once, and each of its appointments is booked or recorded as not booked. */
export const seriesDecider: Decider<SeriesCommand, SeriesEvent, SeriesState, 'not-found'> = {
  category: 'series',
  events: SeriesEvent,
  initial: { known: false },
  decide(command, state) {
    if (command.type === 'Plan') return state.known ? [] : [{ type: 'SeriesPlanned', data: command.plan }]
    const { appointmentId } = command
    if (!state.known || !state.plan.appointments.some((appointment) => appointment.appointmentId === appointmentId))
      return reject('not-found', 'There is no such appointment.')
    if (state.notBooked.includes(appointmentId)) return []
    const { seriesId, patientId } = state.plan
    return [{ type: 'SeriesAppointmentNotBooked', data: { seriesId, patientId, appointmentId } }]
  },
  evolve(state, event) {
    if (event.type === 'SeriesPlanned') return { known: true, plan: event.data, notBooked: [] }
    return state.known ? { ...state, notBooked: [...state.notBooked, event.data.appointmentId] } : state
  },
}
