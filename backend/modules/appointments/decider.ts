import type { AppointmentId, ReservationId, PatientId, PracticeId, SeriesId } from '#contracts/values/ids.ts'
import type { Money } from '#contracts/values/money.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { AppointmentEvent, type Slot } from './events.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'

type Booking = Extract<ScheduleEvent, { type: 'SlotHeldForBooking' }>
type Move = Extract<ScheduleEvent, { type: 'SlotHeldForMove' }>

/** What a completed appointment costs, and when it was completed (an ISO instant in UTC). */
export type AppointmentCompletion = { fee: Money; completedAt: string }

/** The words about an appointment, and where it stands. */
export type AppointmentDetails = {
  type?: AppointmentType | undefined
  reason?: string | null | undefined
  notes?: string | null | undefined
  status?: AppointmentStatus | undefined
}

/** What can be asked of an appointment. `Follow` takes over what the provider's schedule has decided. */
export type AppointmentCommand =
  | { type: 'Follow'; held: Booking | Move }
  /** `fees` are what each type costs today. */
  | {
      type: 'Change'
      practiceId: PracticeId
      change: AppointmentDetails
      fees: Readonly<Record<AppointmentType, Money>>
      now: string
    }
  /** `unless`: nothing is cancelled that has come this far. */
  | {
      type: 'Cancel'
      practiceId: PracticeId
      listed: boolean
      cause: 'asked' | 'patient-removed'
      unless?: readonly AppointmentStatus[]
    }
  /** An appointment of the sample practice goes, or becomes one of the practice. Which are samples is known to whoever asks. */
  | { type: 'RemoveSample' | 'KeepSample'; practiceId: PracticeId }

/** An appointment as it stands. `seen` are the places it ever had; `changes` counts the events since its booking. */
export type AppointmentState =
  | { known: false; removed?: true }
  | {
      known: true
      appointmentId: AppointmentId
      practiceId: PracticeId
      patientId: PatientId
      seriesId: SeriesId | null
      place: Slot
      type: AppointmentType
      status: AppointmentStatus
      reason: string | null
      notes: string | null
      completion: AppointmentCompletion | null
      listed: boolean
      seen: readonly ReservationId[]
      changes: number
    }

/** `not-followed`: the appointment has gone another way since its place was held; that place must be released. */
export type AppointmentRefusal = 'not-found' | 'appointment-cancelled' | 'not-followed'

/** The rules of an appointment. When it is, and with whom, is decided by the schedule of the provider. */
export const appointmentDecider: Decider<AppointmentCommand, AppointmentEvent, AppointmentState, AppointmentRefusal> = {
  category: 'appointment',
  events: AppointmentEvent,
  initial: { known: false },
  decide,
  evolve,
}

type Known = Extract<AppointmentState, { known: true }>
type Decision = readonly AppointmentEvent[] | ReturnType<typeof reject<AppointmentRefusal>>
type Of<Type> = Extract<AppointmentCommand, { type: Type }>

function decide(command: AppointmentCommand, state: AppointmentState): Decision {
  if (command.type === 'Follow') return applyReservation(command.held, state)
  if (!state.known || state.practiceId !== command.practiceId)
    return reject('not-found', 'There is no such appointment.')
  if (command.type === 'Change') return change(command, state)
  return command.type === 'Cancel' ? cancel(command, state) : keepOrRemoveSample(command, state)
}

const superseded = () => reject('not-followed', 'This appointment has been changed meanwhile.')

function applyReservation({ type, data }: Booking | Move, state: AppointmentState): Decision {
  if (state.known && state.seen.includes(data.place.holdId)) return []
  if (type === 'SlotHeldForBooking') return state.known || state.removed ? superseded() : book(data)
  if (!state.known || state.status === 'cancelled' || state.place.holdId !== data.leaves) return superseded()
  if (data.madeOn !== null && data.madeOn !== state.changes) return superseded()
  const { appointmentId, patientId } = state
  const { place: to, waitlistEntryId } = data
  const moved: AppointmentEvent = {
    type: 'AppointmentRescheduled',
    data: { appointmentId, patientId, from: state.place, to, waitlistEntryId },
  }
  return [
    moved,
    ...changeDetails(data.change, state),
    ...changeStatus(data.change, { ...state, place: to }, data.completion),
  ]
}

/** An appointment that is entered after it took place is booked first and completed then, like every other. */
function book(data: Booking['data']): AppointmentEvent[] {
  const { appointmentId, practiceId, patientId, place, type, reason, notes, seriesId, waitlistEntryId } = data
  const status = data.completion ? 'scheduled' : data.status
  const booked: AppointmentEvent = {
    type: 'AppointmentBooked',
    data: { appointmentId, practiceId, patientId, place, type, reason, notes, status, seriesId, waitlistEntryId },
  }
  if (!data.completion) return [booked]
  const { startsAt } = place
  return [
    booked,
    {
      type: 'AppointmentCompleted',
      data: { appointmentId, patientId, startsAt, from: status, type, ...data.completion },
    },
  ]
}

function change({ change: wanted, fees, now }: Of<'Change'>, state: Known): Decision {
  if (wanted.status !== undefined && wanted.status !== state.status && state.status === 'cancelled')
    return reject('appointment-cancelled', 'This appointment is cancelled. Book a new one instead.', 'status')
  const fee = fees[wanted.type ?? state.type]
  return [...changeDetails(wanted, state), ...changeStatus(wanted, state, { fee, completedAt: now })]
}

const words = ['type', 'reason', 'notes'] as const

function changeDetails(wanted: AppointmentDetails, state: Known): AppointmentEvent[] {
  const changed = words.filter((field) => wanted[field] !== undefined && wanted[field] !== state[field])
  if (changed.length === 0) return []
  const { appointmentId, patientId } = state
  const only = (of: AppointmentDetails) => Object.fromEntries(changed.map((field) => [field, of[field]]))
  return [
    { type: 'AppointmentDetailsChanged', data: { appointmentId, patientId, from: only(state), to: only(wanted) } },
  ]
}

function changeStatus(
  wanted: AppointmentDetails,
  state: Known,
  completion: AppointmentCompletion | null,
): AppointmentEvent[] {
  const { appointmentId, patientId, status: from, place, completion: takesBack } = state
  const { startsAt } = place
  const to = wanted.status
  if (to === undefined || to === from) return []
  if (to === 'cancelled')
    return [
      {
        type: 'AppointmentCancelled',
        data: { appointmentId, patientId, place, from, listed: true, cause: 'asked', takesBack },
      },
    ]
  if (to === 'completed' && completion) {
    const type = wanted.type ?? state.type
    return [{ type: 'AppointmentCompleted', data: { appointmentId, patientId, startsAt, from, type, ...completion } }]
  }
  return [{ type: 'AppointmentStatusChanged', data: { appointmentId, patientId, startsAt, from, to, takesBack } }]
}

function cancel({ listed, cause, unless = [] }: Of<'Cancel'>, state: Known): Decision {
  const { appointmentId, patientId, place, status: from, completion: takesBack } = state
  if (unless.includes(from)) return []
  if (from === 'cancelled')
    return state.listed && !listed
      ? [{ type: 'AppointmentUnlisted', data: { appointmentId, patientId, startsAt: place.startsAt } }]
      : []
  return [{ type: 'AppointmentCancelled', data: { appointmentId, patientId, place, from, listed, cause, takesBack } }]
}

function keepOrRemoveSample({ type }: Of<'RemoveSample' | 'KeepSample'>, state: Known): AppointmentEvent[] {
  const { appointmentId, patientId, place } = state
  return type === 'KeepSample'
    ? [{ type: 'SampleAppointmentKept', data: { appointmentId, patientId } }]
    : [{ type: 'AppointmentRemoved', data: { appointmentId, patientId, place, reason: 'sample-removed' } }]
}

function evolve(state: AppointmentState, event: AppointmentEvent): AppointmentState {
  if (event.type === 'AppointmentBooked') {
    const { waitlistEntryId: _, ...booked } = event.data
    return { known: true, ...booked, completion: null, listed: true, seen: [booked.place.holdId], changes: 0 }
  }
  if (!state.known) return state
  const next = { ...state, changes: state.changes + 1 }
  switch (event.type) {
    case 'AppointmentRescheduled':
      return { ...next, place: event.data.to, seen: [...state.seen, event.data.to.holdId] }
    case 'AppointmentDetailsChanged':
      return { ...next, ...(event.data.to as Partial<Known>) }
    case 'AppointmentStatusChanged':
      return { ...next, status: event.data.to, completion: null }
    case 'AppointmentCompleted': {
      const { fee, completedAt } = event.data
      return { ...next, status: 'completed', completion: { fee, completedAt } }
    }
    case 'AppointmentCancelled':
      return { ...next, status: 'cancelled', completion: null, listed: event.data.listed }
    case 'AppointmentUnlisted':
      return { ...next, listed: false }
    case 'AppointmentRemoved':
      return { known: false, removed: true }
    case 'SampleAppointmentKept':
      return next
  }
}
