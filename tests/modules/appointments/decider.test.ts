import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { defaultFees } from '#contracts/values/money.ts'
import { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type AppointmentCommand, appointmentDecider, type AppointmentDetails } from '#modules/appointments/decider.ts'
import type { AppointmentEvent, Slot } from '#modules/appointments/events.ts'
import { deciderSpec } from '#tests/support/given.ts'
import { heldForBooking, heldForMove, hold, patientId, place, practiceId, uuid, appointment } from './appointments.ts'

const given = deciderSpec(appointmentDecider)
const now = '2026-11-20T10:00:00.000Z'
const appointmentId = appointment(1)
const nine = place({ hold: 1 })
const ten = place({ hold: 2, startsAt: '2026-11-21T10:00' })
const fee = defaultFees.consultation

const booked = (
  over: Partial<Extract<AppointmentEvent, { type: 'AppointmentBooked' }>['data']> = {},
): AppointmentEvent => ({
  type: 'AppointmentBooked',
  data: {
    appointmentId,
    practiceId,
    patientId,
    place: nine,
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
  data: { appointmentId, patientId, startsAt: nine.startsAt, from, to, takesBack: null, ...over },
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
    place: nine,
    from: 'scheduled',
    listed: true,
    cause: 'asked',
    takesBack: null,
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
  listed: false,
  cause: 'asked',
  ...over,
})
const follow = (held: ReturnType<typeof heldForBooking> | ReturnType<typeof heldForMove>): AppointmentCommand => ({
  type: 'Follow',
  held,
})

describe('an appointment', () => {
  it('is booked where its place is held', () => {
    given()
      .when(follow(heldForBooking(1, nine)))
      .then(booked())
  })

  it('is booked once, however often its place is followed', () => {
    given(booked())
      .when(follow(heldForBooking(1, nine)))
      .thenNothing()
  })

  it('is not booked under an id that another appointment has', () => {
    given(booked())
      .when(follow(heldForBooking(1, ten)))
      .thenRefused('not-followed')
  })

  it('is booked first and completed then, when it is entered afterwards', () => {
    const completion = { fee, completedAt: now }
    given()
      .when(follow(heldForBooking(1, nine, { status: 'completed', completion })))
      .then(booked(), completed())
  })

  it('follows to its new place', () => {
    given(booked())
      .when(follow(heldForMove(1, ten, 1)))
      .then(rescheduled(nine, ten))
    given(booked(), rescheduled(nine, ten))
      .when(follow(heldForMove(1, ten, 1)))
      .thenNothing()
  })

  it('follows and is described in one', () => {
    const wanted = { notes: 'Fasting', status: 'confirmed' } as const
    given(booked())
      .when(follow(heldForMove(1, ten, 1, { change: wanted })))
      .then(
        rescheduled(nine, ten),
        {
          type: 'AppointmentDetailsChanged',
          data: { appointmentId, patientId, from: { notes: null }, to: { notes: 'Fasting' } },
        },
        statusChanged('scheduled', 'confirmed', { startsAt: ten.startsAt }),
      )
  })

  it('does not follow when it went elsewhere, was cancelled, or was changed since the move was asked for', () => {
    const later = place({ hold: 3, startsAt: '2026-11-22T10:00' })
    given(booked(), rescheduled(nine, ten))
      .when(follow(heldForMove(1, later, 1)))
      .thenRefused('not-followed')
    given(booked(), cancelled())
      .when(follow(heldForMove(1, ten, 1)))
      .thenRefused('not-followed')
    given(booked(), statusChanged('scheduled', 'waiting'))
      .when(follow(heldForMove(1, ten, 1, { madeOn: 0 })))
      .thenRefused('not-followed')
    given()
      .when(follow(heldForMove(1, ten, 1)))
      .thenRefused('not-followed')
  })

  it.each(AppointmentStatus.exclude(['cancelled', 'completed', 'scheduled']).options)('becomes %s freely', (status) => {
    given(booked()).when(change({ status })).then(statusChanged('scheduled', status))
    given(booked(), statusChanged('scheduled', status)).when(change({ status })).thenNothing()
  })

  it.each(AppointmentType.options)('costs what a %s costs, once it is completed', (type) => {
    given(booked({ type }))
      .when(change({ status: 'completed' }))
      .then(completed({ type, fee: defaultFees[type] }))
  })

  it('keeps its fee when it is called something else later, and gives it back when it was not completed after all', () => {
    const takesBack = { fee, completedAt: now }
    given(booked(), completed())
      .when(change({ type: 'procedure' }))
      .then({
        type: 'AppointmentDetailsChanged',
        data: { appointmentId, patientId, from: { type: 'consultation' }, to: { type: 'procedure' } },
      })
    given(booked(), completed())
      .when(change({ status: 'no-show' }))
      .then(statusChanged('completed', 'no-show', { takesBack }))
    given(booked(), completed())
      .when(cancel())
      .then(cancelled({ from: 'completed', listed: false, takesBack }))
  })

  it('stays on its day when it is set to cancelled, and leaves it when it is deleted', () => {
    given(booked())
      .when(change({ status: 'cancelled' }))
      .then(cancelled())
    given(booked())
      .when(cancel())
      .then(cancelled({ listed: false }))
    given(booked(), cancelled())
      .when(cancel())
      .then({ type: 'AppointmentUnlisted', data: { appointmentId, patientId, startsAt: nine.startsAt } })
    given(booked(), cancelled({ listed: false }))
      .when(cancel())
      .thenNothing()
  })

  it('is not cancelled with its patient when it is over', () => {
    const unless = ['completed', 'no-show'] as const
    given(booked(), completed())
      .when(cancel({ cause: 'patient-removed', unless }))
      .thenNothing()
    given(booked())
      .when(cancel({ cause: 'patient-removed', unless }))
      .then(cancelled({ cause: 'patient-removed', listed: false }))
  })

  it('leads nowhere once cancelled, but for its words', () => {
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

  it('is nothing to another practice', () => {
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

  it('can be read after the patient’s key is gone', () => {
    const erased = booked({ reason: null, notes: null, patientId: PatientId.parse(patientId) })
    expect(fold(appointmentDecider, [erased])).toMatchObject({ known: true, reason: null, place: nine })
  })
})

const anyCommand = fc.oneof(
  fc.record({ status: fc.constantFrom(...AppointmentStatus.options) }).map((wanted) => change(wanted)),
  fc.record({ type: fc.constantFrom(...AppointmentType.options) }).map((wanted) => change(wanted)),
  fc.string().map((notes) => change({ notes })),
  fc.boolean().map((listed) => cancel({ listed })),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([to, from]) => follow(heldForMove(1, place({ hold: to, startsAt: `2026-11-2${to}T10:00` }), from))),
)

it('never contradicts itself, whatever it is told', () => {
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
        if (!before.known || !after.known) throw new Error('It was booked')
        expect(after.changes).toBe(history.length - 1)
        expect(after.completion !== null).toBe(after.status === 'completed')
        if (before.status === 'cancelled') expect([after.status, after.place]).toEqual(['cancelled', before.place])
        // Told again, nothing more happens; what is followed for the first time leads to the place that was held.
        if (command.type !== 'Follow') expect(appointmentDecider.decide(command, after)).toEqual([])
        else if (decision.length > 0) expect(after.place.holdId).toBe(command.held.data.place.holdId)
        else expect(after).toEqual(before)
        expect(after.seen).toContain(after.place.holdId)
      }
      // What was fixed and what was taken back come to what stands now.
      const fixed = history.reduce(
        (sum, { type, data }) =>
          sum +
          (type === 'AppointmentCompleted' ? data.fee.cents : 0) -
          ('takesBack' in data ? (data.takesBack?.fee.cents ?? 0) : 0),
        0,
      )
      const state = fold(appointmentDecider, history)
      expect(fixed).toBe(state.known ? (state.completion?.fee.cents ?? 0) : 0)
      expect(hold(1)).toBe((history[0] as Extract<AppointmentEvent, { type: 'AppointmentBooked' }>).data.place.holdId)
    }),
  )
})
