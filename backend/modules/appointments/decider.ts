import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import type { AppointmentId, PatientId, PracticeId, ReservationId, SeriesId } from '#contracts/values/ids.ts'
import type { Money } from '#contracts/values/money.ts'
import { type Decider, type MarkedEvent, reject } from '#eventstore/decider.ts'
import type { ReservationEvent, Slot } from '#modules/schedule/events.ts'
import { AppointmentEvent } from './events.ts'

type Booking = Extract<ReservationEvent, { type: 'SlotReservedForBooking' }>
type Move = Extract<ReservationEvent, { type: 'SlotReservedForMove' }>

/** The fee of a completed appointment and the ISO instant (UTC) of its completion. */
export type AppointmentCompletion = { fee: Money; completedAt: string }

/** The fields of an appointment that can change without its slot. */
export type AppointmentDetails = {
  type?: AppointmentType | undefined
  reason?: string | null | undefined
  notes?: string | null | undefined
  status?: AppointmentStatus | undefined
}

/**
 * Commands for one appointment. `isReleased`: the slot that the appointment leaves is released in the same append, so that its events
 * say so.
 */
export type AppointmentCommand =
  /** Applies the decision of the provider's schedule. */
  | { type: 'ApplyReservation'; reservation: ReservationEvent; isReleased?: boolean }
  /** `fees` are today's fees by type; `now` is an ISO instant in UTC. */
  | {
      type: 'Change'
      practiceId: PracticeId
      change: AppointmentDetails
      fees: Readonly<Record<AppointmentType, Money>>
      now: string
      isReleased?: boolean
    }
  /** Does nothing for an appointment in one of `exceptStatuses`. */
  | {
      type: 'Cancel'
      practiceId: PracticeId
      keepOnDayList: boolean
      cause: 'requested' | 'patient-removed'
      exceptStatuses?: readonly AppointmentStatus[]
      isReleased?: boolean
    }
  | { type: 'RemoveSample'; practiceId: PracticeId }
  /** Makes an appointment of the sample practice one of the practice's own. */
  | { type: 'KeepSample'; practiceId: PracticeId }

/** One appointment. `reservationIds` are those of all its slots so far; `revision` counts the events after the booking. */
export type AppointmentState =
  | { known: false; removed?: true }
  | {
      known: true
      appointmentId: AppointmentId
      practiceId: PracticeId
      patientId: PatientId
      seriesId: SeriesId | null
      slot: Slot
      type: AppointmentType
      status: AppointmentStatus
      reason: string | null
      notes: string | null
      completion: AppointmentCompletion | null
      isOnDayList: boolean
      isSample: boolean
      reservationIds: readonly ReservationId[]
      revision: number
    }

/** An appointment that was booked and not removed. */
export type KnownAppointment = Extract<AppointmentState, { known: true }>

/** `superseded`: the appointment has changed since the slot was reserved; that slot must be released. */
export type AppointmentRejection = 'not-found' | 'appointment-cancelled' | 'superseded' | 'not-a-sample'

/** The rules of an appointment. Its time and provider are decided by the provider's schedule. */
export const appointmentDecider: Decider<AppointmentCommand, AppointmentEvent, AppointmentState, AppointmentRejection> =
  {
    category: 'appointment',
    events: AppointmentEvent,
    initial: { known: false },
    decide,
    evolve,
  }

type Decision = AppointmentEvent[] | ReturnType<typeof reject<AppointmentRejection>>
type Of<Type extends AppointmentCommand['type']> = Extract<AppointmentCommand, { type: Type }>

function decide(command: AppointmentCommand, state: AppointmentState): Decision {
  if (command.type === 'ApplyReservation') return applyReservation(command, state)
  // An appointment that was removed since the job listed it needs no cancellation.
  if (!state.known && state.removed && command.type === 'Cancel' && command.cause === 'patient-removed') return []
  if (!state.known || state.practiceId !== command.practiceId)
    return reject('not-found', 'There is no such appointment.')
  switch (command.type) {
    case 'Change':
      return change(command, state)
    case 'Cancel':
      return cancel(command, state)
    case 'RemoveSample':
      return removeSample(state)
    case 'KeepSample':
      return keepSample(state)
  }
}

const mark = (isReleased: boolean | undefined) => (isReleased ? { isReleased } : {})

const superseded = () => reject('superseded', 'This appointment was changed in the meantime.')

function applyReservation({ reservation, isReleased }: Of<'ApplyReservation'>, state: AppointmentState): Decision {
  const { reservationId } = reservation.data.slot
  if (state.known && state.reservationIds.includes(reservationId)) return []
  if (reservation.type === 'SlotReservedForMove') return move(reservation, state, isReleased)
  return state.known || state.removed ? superseded() : book(reservation)
}

const finalStatuses: readonly AppointmentStatus[] = ['completed', 'cancelled', 'no-show']

/** An appointment that is entered after it took place, or did not, is booked and then reaches its status like every other. */
function book({ data }: Booking): AppointmentEvent[] {
  const { appointmentId, practiceId, patientId, slot, type, reason, notes, seriesId, waitlistEntryId } = data
  const status = finalStatuses.includes(data.status) ? 'scheduled' : data.status
  const booked: AppointmentEvent = {
    type: 'AppointmentBooked',
    data: { appointmentId, practiceId, patientId, slot, type, reason, notes, status, seriesId, waitlistEntryId },
  }
  const state = evolve({ known: false }, booked)
  return state.known ? [booked, ...changeStatus({ status: data.status }, state, data.completion)] : [booked]
}

function move({ data }: Move, state: AppointmentState, isReleased: boolean | undefined): Decision {
  const { previousReservationId, expectedRevision, slot: to, change: details, completion, waitlistEntryId } = data
  if (!state.known || state.status === 'cancelled') return superseded()
  if (state.slot.reservationId !== previousReservationId) return superseded()
  if (expectedRevision !== null && expectedRevision !== state.revision) return superseded()
  const { appointmentId, patientId, slot: from } = state
  return [
    {
      type: 'AppointmentRescheduled',
      data: { appointmentId, patientId, from, to, ...mark(isReleased), waitlistEntryId },
    },
    ...changeDetails(details, { ...state, slot: to }),
    ...changeStatus(details, { ...state, slot: to }, completion),
  ]
}

function change({ change: details, fees, now, isReleased }: Of<'Change'>, state: KnownAppointment): Decision {
  if (details.status !== undefined && details.status !== state.status && state.status === 'cancelled')
    return reject('appointment-cancelled', 'This appointment is cancelled. Book a new one instead.', 'status')
  const fee = fees[details.type ?? state.type]
  return [...changeDetails(details, state), ...changeStatus(details, state, { fee, completedAt: now }, isReleased)]
}

const detailFields = ['type', 'reason', 'notes'] as const

const isOpen = ({ status }: KnownAppointment) => ['scheduled', 'confirmed', 'waiting'].includes(status)

function changeDetails(details: AppointmentDetails, state: KnownAppointment): AppointmentEvent[] {
  const changed = detailFields.filter((field) => details[field] !== undefined && details[field] !== state[field])
  if (changed.length === 0) return []
  const { appointmentId, patientId, slot } = state
  const pick = (source: AppointmentDetails) => Object.fromEntries(changed.map((field) => [field, source[field]]))
  const becomesEmergency = changed.includes('type') && details.type === 'emergency' && isOpen(state)
  const about = { appointmentId, patientId, ...(becomesEmergency ? { slot } : {}) }
  return [{ type: 'AppointmentDetailsChanged', data: { ...about, from: pick(state), to: pick(details) } }]
}

function changeStatus(
  { status: to, type }: AppointmentDetails,
  state: KnownAppointment,
  completion: AppointmentCompletion | null,
  isReleased?: boolean,
): AppointmentEvent[] {
  const { appointmentId, patientId, status: from, slot, completion: revertedCompletion } = state
  const about = { appointmentId, patientId, from }
  const { startsAt } = slot
  if (to === undefined || to === from) return []
  if (to === 'cancelled') {
    const cancelled = { ...about, slot, isOnDayList: true, cause: 'requested', revertedCompletion } as const
    return [{ type: 'AppointmentCancelled', data: { ...cancelled, ...mark(isReleased) } }]
  }
  if (to === 'completed' && completion) {
    const completed = { ...about, startsAt, type: type ?? state.type, ...completion }
    return [{ type: 'AppointmentCompleted', data: completed }]
  }
  return [{ type: 'AppointmentStatusChanged', data: { ...about, startsAt, to, revertedCompletion } }]
}

function cancel(
  { keepOnDayList: isOnDayList, cause, exceptStatuses = [], isReleased }: Of<'Cancel'>,
  state: KnownAppointment,
): Decision {
  const { appointmentId, patientId, slot, status: from, completion: revertedCompletion } = state
  if (exceptStatuses.includes(from)) return []
  if (from !== 'cancelled') {
    const cancelled = { appointmentId, patientId, slot, from, isOnDayList, cause, revertedCompletion }
    return [{ type: 'AppointmentCancelled', data: { ...cancelled, ...mark(isReleased) } }]
  }
  return state.isOnDayList && !isOnDayList
    ? [{ type: 'AppointmentRemovedFromDayList', data: { appointmentId, patientId, startsAt: slot.startsAt } }]
    : []
}

function removeSample({ appointmentId, patientId, slot, isSample }: KnownAppointment): Decision {
  if (!isSample) return reject('not-a-sample', 'This appointment does not belong to the sample practice.')
  return [{ type: 'AppointmentRemoved', data: { appointmentId, patientId, slot, reason: 'sample-removed' } }]
}

/** Does nothing for an appointment that is not a sample: it already belongs to the practice. */
const keepSample = ({ appointmentId, patientId, isSample }: KnownAppointment): Decision =>
  isSample ? [{ type: 'SampleAppointmentKept', data: { appointmentId, patientId } }] : []

function evolve(state: AppointmentState, event: MarkedEvent<AppointmentEvent>): AppointmentState {
  if (event.type === 'AppointmentBooked') {
    const { waitlistEntryId: _, ...booked } = event.data
    const isSample = event.metadata?.sample ?? false
    const reservationIds = [booked.slot.reservationId]
    return { known: true, ...booked, completion: null, isOnDayList: true, isSample, reservationIds, revision: 0 }
  }
  if (!state.known) return state
  const next = { ...state, revision: state.revision + 1 }
  switch (event.type) {
    case 'AppointmentRescheduled': {
      const { to } = event.data
      return { ...next, slot: to, reservationIds: [...state.reservationIds, to.reservationId] }
    }
    case 'AppointmentDetailsChanged':
      return { ...next, ...(event.data.to as Partial<KnownAppointment>) }
    case 'AppointmentStatusChanged':
      return { ...next, status: event.data.to, completion: null }
    case 'AppointmentCompleted': {
      const { fee, completedAt } = event.data
      return { ...next, status: 'completed', completion: { fee, completedAt } }
    }
    case 'AppointmentCancelled':
      return { ...next, status: 'cancelled', completion: null, isOnDayList: event.data.isOnDayList }
    case 'AppointmentRemovedFromDayList':
      return { ...next, isOnDayList: false }
    case 'AppointmentRemoved':
      return { known: false, removed: true }
    case 'SampleAppointmentKept':
      return { ...next, isSample: false }
  }
}
