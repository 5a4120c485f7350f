import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { scheduleDecider, type SlotTakenRejection } from '#modules/appointments/schedule/decider.ts'
import type { ScheduleEvent } from '#modules/appointments/schedule/events.ts'
import { deciderSpec } from '#tests/support/given.ts'
import { heldForBooking, heldForMove, hold, patientId, place, practiceId, appointment } from '../appointments.ts'

const given = deciderSpec(scheduleDecider)
const at = (n: number, time: string, duration = 30, overlaps: number[] = []) => ({
  ...place({ hold: n, startsAt: `2026-11-20T${time}`, duration }),
  overlaps: overlaps.map(appointment),
})
const held = (n: number, time: string, duration = 30, overlaps: number[] = []) =>
  heldForBooking(n, at(n, time, duration, overlaps))
const ask = (fact: ReturnType<typeof heldForBooking> | ReturnType<typeof heldForMove>, allowOverlap = false) =>
  ({ type: 'Hold', fact, allowOverlap }) as const
const released = (n: number): ScheduleEvent => ({
  type: 'SlotReleased',
  data: { holdId: hold(n), appointmentId: appointment(n) },
})
const givenUp = (n: number): ScheduleEvent => ({
  type: 'SlotGivenUp',
  data: { holdId: hold(n), appointmentId: appointment(n) },
})

describe('a provider’s day', () => {
  it('holds what is free', () => {
    given()
      .when(ask(held(1, '09:00')))
      .then(held(1, '09:00'))
  })

  it('lets appointments follow upon each other without a gap', () => {
    given(held(1, '09:00'))
      .when(ask(held(2, '09:30')))
      .then(held(2, '09:30'))
    given(held(1, '09:30'))
      .when(ask(held(2, '09:00')))
      .then(held(2, '09:00'))
  })

  it.each([
    ['at the same time', '09:00', 30],
    ['into its beginning', '08:45', 30],
    ['into its end', '09:15', 30],
    ['within it', '09:05', 5],
    ['around it', '08:30', 120],
  ])('refuses an appointment %s of another, and says whose', (_, time, duration) => {
    const before = [held(1, '09:00')]
    given(...before)
      .when(ask(held(2, time, duration)))
      .thenRefused('slot-taken')
    const decision = scheduleDecider.decide(ask(held(2, time, duration)), fold(scheduleDecider, before))
    expect((decision as SlotTakenRejection).by).toMatchObject({ appointmentId: appointment(1), patientId })
  })

  it('names the first of several that are in the way', () => {
    const day = fold(scheduleDecider, [held(1, '10:00'), held(2, '09:00')])
    expect((scheduleDecider.decide(ask(held(3, '08:30', 240)), day) as SlotTakenRejection).by.appointmentId).toBe(
      appointment(2),
    )
  })

  it('records whom an overlap concerns', () => {
    given(held(1, '09:00'), held(2, '09:30'))
      .when(ask(held(3, '09:15'), true))
      .then(held(3, '09:15', 30, [1, 2]))
  })

  it('lets an appointment move and grow over its own place', () => {
    const longer = heldForMove(1, at(9, '09:00', 60), 1)
    given(held(1, '09:00')).when(ask(longer)).then(longer)
  })

  it('asks nobody again about two that share a time already', () => {
    const shorter = heldForMove(2, at(9, '09:00', 15), 2)
    given(held(1, '09:00'), held(2, '09:00', 30, [1]))
      .when(ask(shorter))
      .then(heldForMove(2, at(9, '09:00', 15, [1]), 2))
    const other = heldForMove(1, at(9, '09:00', 15), 1)
    given(held(1, '09:00'), held(2, '09:00', 30, [1]))
      .when(ask(other))
      .then(heldForMove(1, at(9, '09:00', 15, [2]), 1))
  })

  it('holds once, however often it is asked', () => {
    given(held(1, '09:00'))
      .when(ask(held(1, '09:00')))
      .thenNothing()
  })

  it('frees what was held, once', () => {
    const release = { type: 'Release', holdId: hold(1) } as const
    given(held(1, '09:00')).when(release).then(released(1))
    given(held(1, '09:00'), released(1)).when(release).thenNothing()
    given().when(release).thenNothing()
    given(held(1, '09:00'), released(1))
      .when(ask(held(2, '09:00')))
      .then(held(2, '09:00'))
  })

  it('never holds again what was freed or given up', () => {
    given(held(1, '09:00'), released(1))
      .when(ask(held(1, '09:00')))
      .thenRefused('given-up')
    given(givenUp(1))
      .when(ask(held(1, '09:00')))
      .thenRefused('given-up')
  })

  it('is given up only where it is not held', () => {
    const giveUp = { type: 'GiveUp', holdId: hold(1), appointmentId: appointment(1) } as const
    given().when(giveUp).then(givenUp(1))
    given(givenUp(1)).when(giveUp).thenNothing()
    given(held(1, '09:00')).when(giveUp).thenNothing()
    given(held(1, '09:00'), released(1)).when(giveUp).thenNothing()
  })

  it('holds the second day of a night', () => {
    const along: ScheduleEvent = {
      type: 'SlotHeldAlong',
      data: { appointmentId: appointment(1), practiceId, patientId, place: at(1, '23:30', 60) },
    }
    given().when({ type: 'Hold', fact: along, allowOverlap: false }).then(along)
    given(along)
      .when(ask(held(2, '23:45', 10)))
      .thenRefused('slot-taken')
  })
})

const anyCommand = fc.oneof(
  fc
    .record({
      n: fc.integer({ min: 1, max: 5 }),
      id: fc.integer({ min: 1, max: 40 }),
      quarter: fc.integer({ min: 0, max: 12 }),
      duration: fc.constantFrom(15, 30, 60),
      allow: fc.boolean(),
    })
    .map(({ n, id, quarter, duration, allow }) => {
      const time = `${String(9 + Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
      return ask(heldForMove(n, at(id, time, duration), 0), allow)
    }),
  fc.integer({ min: 1, max: 40 }).map((id) => ({ type: 'Release', holdId: hold(id) }) as const),
)

it('never holds two appointments at one time unless that is recorded', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 40 }), (commands) => {
      const history: ScheduleEvent[] = []
      for (const command of commands) {
        const decision = scheduleDecider.decide(command, fold(scheduleDecider, history))
        if (!isRejection(decision)) history.push(...decision)
      }
      const { holds } = fold(scheduleDecider, history)
      const unrecorded = holds.flatMap((one) =>
        holds.filter(
          (other) =>
            one.appointmentId < other.appointmentId &&
            one.from < other.until &&
            other.from < one.until &&
            !one.overlaps.includes(other.appointmentId) &&
            !other.overlaps.includes(one.appointmentId),
        ),
      )
      expect(unrecorded).toEqual([])
    }),
  )
})
