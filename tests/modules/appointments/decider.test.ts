import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { defaultFees } from '#contracts/values/money.ts'
import { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type AppointmentCommand, appointmentDecider, type AppointmentDetails } from '#modules/appointments/decider.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import type { Slot } from '#modules/schedule/events.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  reservedForBooking,
  reservedForMove,
  reservation,
  patientId,
  slot,
  practiceId,
  uuid,
  appointment,
} from './fixtures.ts'

const given = deciderSpec(appointmentDecider)
const now = '2026-11-20T10:00:00.000Z'
const appointmentId = appointment(1)
const nine = slot({ reservation: 1 })
const ten = slot({ reservation: 2, startsAt: '2026-11-21T10:00' })
const fee = defaultFees.consultation

const booked = (
  over: Partial<Extract<AppointmentEvent, { type: 'AppointmentBooked' }>['data']> = {},
): AppointmentEvent => ({
  type: 'AppointmentBooked',
  data: {
    appointmentId,
    practiceId,
    patientId,
    slot: nine,
    type: 'consultation',
    reason: 'Cough',
    notes: null,
    status: 'scheduled',
    seriesId: null,
    waitlistEntryId: null,
    ...over,
  },
})
const rescheduled = (from: Slot, to: Slot): AppointmentEvent => ({
  type: 'AppointmentRescheduled',
  data: { appointmentId, patientId, from, to, waitlistEntryId: null },
})
const statusChanged = (from: AppointmentStatus, to: AppointmentStatus, over: object = {}): AppointmentEvent => ({
  type: 'AppointmentStatusChanged',
  data: { appointmentId, patientId, startsAt: nine.startsAt, from, to, revertedCompletion: null, ...over },
})
const completed = (over: object = {}): AppointmentEvent => ({
  type: 'AppointmentCompleted',
  data: {
    appointmentId,
    patientId,
    startsAt: nine.startsAt,
    from: 'scheduled',
    type: 'consultation',
    fee,
    completedAt: now,
    ...over,
  },
})
const cancelled = (over: object = {}): AppointmentEvent => ({
  type: 'AppointmentCancelled',
  data: {
    appointmentId,
    patientId,
    slot: nine,
    from: 'scheduled',
    isOnDayList: true,
    cause: 'requested',
    revertedCompletion: null,
    ...over,
  },
})
const change = (wanted: AppointmentDetails, of = practiceId): AppointmentCommand => ({
  type: 'Change',
  practiceId: of,
  change: wanted,
  fees: defaultFees,
  now,
})
const cancel = (over: object = {}): AppointmentCommand => ({
  type: 'Cancel',
  practiceId,
  keepOnDayList: false,
  cause: 'requested',
  ...over,
})
const apply = (
  event: ReturnType<typeof reservedForBooking> | ReturnType<typeof reservedForMove>,
): AppointmentCommand => ({
  type: 'ApplyReservation',
  reservation: event,
})

describe('an appointment', () => {
  it('is booked in its reserved slot', () => {
    given()
      .when(apply(reservedForBooking(1, nine)))
      .then(booked())
  })

  it('is booked with the status that it is entered with, while it is to come', () => {
    for (const status of ['confirmed', 'waiting', 'in-progress'] as const)
      given()
        .when(apply(reservedForBooking(1, nine, { status })))
        .then(booked({ status }))
  })

  it('is booked once, however often its reservation is applied', () => {
    given(booked())
      .when(apply(reservedForBooking(1, nine)))
      .thenNothing()
  })

  it('is not booked under the id of another appointment', () => {
    given(booked())
      .when(apply(reservedForBooking(1, ten)))
      .thenRefused('superseded')
  })

  it('is booked and then completed when it is entered after it took place', () => {
    const completion = { fee, completedAt: now }
    given()
      .when(apply(reservedForBooking(1, nine, { status: 'completed', completion })))
      .then(booked(), completed())
  })

  it('is booked and then cancelled or missed when it is entered as such', () => {
    given()
      .when(apply(reservedForBooking(1, nine, { status: 'cancelled' })))
      .then(booked(), cancelled())
    given()
      .when(apply(reservedForBooking(1, nine, { status: 'no-show' })))
      .then(booked(), statusChanged('scheduled', 'no-show'))
  })

  it('moves to its new slot, once', () => {
    given(booked())
      .when(apply(reservedForMove(1, ten, 1)))
      .then(rescheduled(nine, ten))
    given(booked(), rescheduled(nine, ten))
      .when(apply(reservedForMove(1, ten, 1)))
      .thenNothing()
  })

  it('moves and changes its details in one command', () => {
    const wanted = { notes: 'Fasting', status: 'confirmed' } as const
    given(booked())
      .when(apply(reservedForMove(1, ten, 1, { change: wanted })))
      .then(
        rescheduled(nine, ten),
        {
          type: 'AppointmentDetailsChanged',
          data: { appointmentId, patientId, from: { notes: null }, to: { notes: 'Fasting' } },
        },
        statusChanged('scheduled', 'confirmed', { startsAt: ten.startsAt }),
      )
  })

  it('does not move when it has moved elsewhere, was cancelled, or has changed since the request', () => {
    const later = slot({ reservation: 3, startsAt: '2026-11-22T10:00' })
    given(booked(), rescheduled(nine, ten))
      .when(apply(reservedForMove(1, later, 1)))
      .thenRefused('superseded')
    given(booked(), cancelled())
      .when(apply(reservedForMove(1, ten, 1)))
      .thenRefused('superseded')
    given(booked(), statusChanged('scheduled', 'waiting'))
      .when(apply(reservedForMove(1, ten, 1, { expectedRevision: 0 })))
      .thenRefused('superseded')
    given()
      .when(apply(reservedForMove(1, ten, 1)))
      .thenRefused('superseded')
  })

  it.each(AppointmentStatus.exclude(['cancelled', 'completed', 'scheduled']).options)('can become %s', (status) => {
    given(booked()).when(change({ status })).then(statusChanged('scheduled', status))
    given(booked(), statusChanged('scheduled', status)).when(change({ status })).thenNothing()
  })

  it.each(AppointmentType.options)('gets the fee of a %s when it is completed', (type) => {
    given(booked({ type }))
      .when(change({ status: 'completed' }))
      .then(completed({ type, fee: defaultFees[type] }))
  })

  it('keeps its fee when its type changes later, and loses it when it is no longer completed', () => {
    const revertedCompletion = { fee, completedAt: now }
    given(booked(), completed())
      .when(change({ type: 'procedure' }))
      .then({
        type: 'AppointmentDetailsChanged',
        data: { appointmentId, patientId, from: { type: 'consultation' }, to: { type: 'procedure' } },
      })
    given(booked(), completed())
      .when(change({ status: 'no-show' }))
      .then(statusChanged('completed', 'no-show', { revertedCompletion }))
    given(booked(), completed())
      .when(cancel())
      .then(cancelled({ from: 'completed', isOnDayList: false, revertedCompletion }))
  })

  it('names the slot at which it becomes an emergency, while it is open', () => {
    const about = { appointmentId, patientId, from: { type: 'consultation' }, to: { type: 'emergency' } } as const
    given(booked())
      .when(change({ type: 'emergency' }))
      .then({ type: 'AppointmentDetailsChanged', data: { ...about, slot: nine } })
    given(booked())
      .when(apply(reservedForMove(1, ten, 1, { change: { type: 'emergency' } })))
      .then(rescheduled(nine, ten), { type: 'AppointmentDetailsChanged', data: { ...about, slot: ten } })
    given(booked(), completed())
      .when(change({ type: 'emergency' }))
      .then({ type: 'AppointmentDetailsChanged', data: about })
  })

  it('stays on the day list when its status becomes cancelled, and is hidden when it is deleted', () => {
    given(booked())
      .when(change({ status: 'cancelled' }))
      .then(cancelled())
    given(booked())
      .when(cancel())
      .then(cancelled({ isOnDayList: false }))
    given(booked(), cancelled())
      .when(cancel())
      .then({ type: 'AppointmentRemovedFromDayList', data: { appointmentId, patientId, startsAt: nine.startsAt } })
    given(booked(), cancelled({ isOnDayList: false }))
      .when(cancel())
      .thenNothing()
  })

  it('is not cancelled with its patient when it took place', () => {
    const exceptStatuses = ['completed', 'no-show'] as const
    given(booked(), completed())
      .when(cancel({ cause: 'patient-removed', exceptStatuses }))
      .thenNothing()
    // Removed since it was found: there is nothing left to cancel, and nothing to report.
    given(booked(), {
      type: 'AppointmentRemoved',
      data: { appointmentId, patientId, slot: nine, reason: 'sample-removed' },
    })
      .when(cancel({ cause: 'patient-removed', exceptStatuses }))
      .thenNothing()
    given()
      .when(cancel({ cause: 'patient-removed', exceptStatuses }))
      .thenRefused('not-found')
    given(booked())
      .when(cancel({ cause: 'patient-removed', exceptStatuses }))
      .then(cancelled({ cause: 'patient-removed', isOnDayList: false }))
  })

  it('accepts only changes of its details once cancelled', () => {
    for (const status of AppointmentStatus.exclude(['cancelled']).options)
      given(booked(), cancelled()).when(change({ status })).thenRefused('appointment-cancelled')
    given(booked(), cancelled())
      .when(change({ status: 'cancelled' }))
      .thenNothing()
    given(booked(), cancelled())
      .when(change({ notes: 'Called' }))
      .then({
        type: 'AppointmentDetailsChanged',
        data: { appointmentId, patientId, from: { notes: null }, to: { notes: 'Called' } },
      })
  })

  it('is not found by another practice', () => {
    const other = PracticeId.parse(uuid(1, 2))
    given()
      .when(change({ notes: 'x' }))
      .thenRefused('not-found')
    given(booked())
      .when(change({ notes: 'x' }, other))
      .thenRefused('not-found')
    given(booked())
      .when(cancel({ practiceId: other }))
      .thenRefused('not-found')
  })

  it('can be loaded after the patient’s key was destroyed', () => {
    const erased = booked({ reason: null, notes: null, patientId: PatientId.parse(patientId) })
    expect(fold(appointmentDecider, [erased])).toMatchObject({ known: true, reason: null, slot: nine })
  })
})

describe('an appointment of the sample practice', () => {
  const sample = recordedEvent(booked(), { metadata: { sample: true } })
  const removed: AppointmentEvent = {
    type: 'AppointmentRemoved',
    data: { appointmentId, patientId, slot: nine, reason: 'sample-removed' },
  }
  const kept: AppointmentEvent = { type: 'SampleAppointmentKept', data: { appointmentId, patientId } }

  it('can be removed, or kept as the practice’s own', () => {
    given(sample).when({ type: 'RemoveSample', practiceId }).then(removed)
    given(sample).when({ type: 'KeepSample', practiceId }).then(kept)
  })

  it('can still be removed after a user has changed it', () => {
    given(sample, statusChanged('scheduled', 'waiting')).when({ type: 'RemoveSample', practiceId }).then(removed)
  })

  it('cannot be removed once it is kept, and is kept once', () => {
    given(sample, kept).when({ type: 'RemoveSample', practiceId }).thenRefused('not-a-sample')
    given(sample, kept).when({ type: 'KeepSample', practiceId }).thenNothing()
  })

  it('is the only kind that can be removed as a sample', () => {
    given(booked()).when({ type: 'RemoveSample', practiceId }).thenRefused('not-a-sample')
    given(booked()).when({ type: 'KeepSample', practiceId }).thenNothing()
  })
})

const anyCommand = fc.oneof(
  fc.record({ status: fc.constantFrom(...AppointmentStatus.options) }).map((wanted) => change(wanted)),
  fc.record({ type: fc.constantFrom(...AppointmentType.options) }).map((wanted) => change(wanted)),
  fc.string().map((notes) => change({ notes })),
  fc.boolean().map((keepOnDayList) => cancel({ keepOnDayList })),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([to, from]) => apply(reservedForMove(1, slot({ reservation: to, startsAt: `2026-11-2${to}T10:00` }), from))),
)

it('keeps its invariants under any sequence of commands', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 30 }), (commands) => {
      const history: AppointmentEvent[] = [booked()]
      for (const command of commands) {
        const before = fold(appointmentDecider, history)
        const decision = appointmentDecider.decide(command, before)
        if (isRejection(decision)) continue
        for (const event of decision) expect(appointmentDecider.events.parse(event)).toEqual(event)
        history.push(...decision)
        const after = fold(appointmentDecider, history)
        if (!before.known || !after.known) throw new Error('The appointment is booked')
        expect(after.revision).toBe(history.length - 1)
        expect(after.completion !== null).toBe(after.status === 'completed')
        if (before.status === 'cancelled') expect([after.status, after.slot]).toEqual(['cancelled', before.slot])
        // A repeated command has no effect; a reservation that is applied for the first time determines the slot.
        if (command.type !== 'ApplyReservation') expect(appointmentDecider.decide(command, after)).toEqual([])
        else if (decision.length > 0) expect(after.slot.reservationId).toBe(command.reservation.data.slot.reservationId)
        else expect(after).toEqual(before)
        expect(after.reservationIds).toContain(after.slot.reservationId)
      }
      // The completions minus the reverted ones give the current fee.
      const fixed = history.reduce(
        (sum, { type, data }) =>
          sum +
          (type === 'AppointmentCompleted' ? data.fee.cents : 0) -
          ('revertedCompletion' in data ? (data.revertedCompletion?.fee.cents ?? 0) : 0),
        0,
      )
      const state = fold(appointmentDecider, history)
      expect(fixed).toBe(state.known ? (state.completion?.fee.cents ?? 0) : 0)
      expect(reservation(1)).toBe(
        (history[0] as Extract<AppointmentEvent, { type: 'AppointmentBooked' }>).data.slot.reservationId,
      )
    }),
  )
})
