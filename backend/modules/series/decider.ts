import type { AppointmentId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { SeriesEvent } from './events.ts'

type Plan = Extract<SeriesEvent, { type: 'SeriesPlanned' }>['data']

/** What can be asked of a row of appointments. */
export type SeriesCommand = { type: 'Plan'; plan: Plan } | { type: 'NotBooked'; appointmentId: AppointmentId }

/** A row as it was planned, and the appointments of it that could not be booked. */
export type SeriesState = { known: false } | { known: true; plan: Plan; notBooked: readonly AppointmentId[] }

/** The rules of a row of recurring appointments: planned once, and every appointment of it is booked or is not. */
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
