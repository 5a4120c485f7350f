import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { scheduleDecider, type SlotTakenRejection } from '#modules/schedule/decider.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  reservedForBooking,
  reservedForMove,
  reservation,
  patientId,
  slot,
  practiceId,
  appointment,
  uuid,
} from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(scheduleDecider)
const at = (n: number, time: string, duration = 30, overlaps: number[] = []) => ({
  ...slot({ reservation: n, startsAt: `2026-11-20T${time}`, duration }),
  overlaps: overlaps.map(appointment),
})
const reserved = (n: number, time: string, duration = 30, overlaps: number[] = []) =>
  reservedForBooking(n, at(n, time, duration, overlaps))
const reserve = (
  event: ReturnType<typeof reservedForBooking> | ReturnType<typeof reservedForMove>,
  allowOverlap = false,
) => ({ type: 'Reserve', event, allowOverlap }) as const
const released = (n: number): ScheduleEvent => ({
  type: 'SlotReleased',
  data: { reservationId: reservation(n), appointmentId: appointment(n) },
})
const withdrawn = (n: number): ScheduleEvent => ({
  type: 'ReservationWithdrawn',
  data: { reservationId: reservation(n), appointmentId: appointment(n) },
})

describe('a provider’s day', () => {
  it('reserves a free slot', () => {
    given()
      .when(reserve(reserved(1, '09:00')))
      .then(reserved(1, '09:00'))
  })

  it('accepts adjacent appointments', () => {
    given(reserved(1, '09:00'))
      .when(reserve(reserved(2, '09:30')))
      .then(reserved(2, '09:30'))
    given(reserved(1, '09:30'))
      .when(reserve(reserved(2, '09:00')))
      .then(reserved(2, '09:00'))
  })

  it.each([
    ['at the same time', '09:00', 30],
    ['into its beginning', '08:45', 30],
    ['into its end', '09:15', 30],
    ['within it', '09:05', 5],
    ['around it', '08:30', 120],
  ])('refuses an appointment %s of another, and names that one', (_, time, duration) => {
    const before = [reserved(1, '09:00')]
    given(...before)
      .when(reserve(reserved(2, time, duration)))
      .thenRefused('slot-taken')
    const decision = scheduleDecider.decide(reserve(reserved(2, time, duration)), fold(scheduleDecider, before))
    expect((decision as SlotTakenRejection).conflict).toMatchObject({ appointmentId: appointment(1), patientId })
  })

  it('names the first of several conflicts', () => {
    const day = fold(scheduleDecider, [reserved(1, '10:00'), reserved(2, '09:00')])
    expect(
      (scheduleDecider.decide(reserve(reserved(3, '08:30', 240)), day) as SlotTakenRejection).conflict.appointmentId,
    ).toBe(appointment(2))
  })

  it('records which appointments overlap', () => {
    given(reserved(1, '09:00'), reserved(2, '09:30'))
      .when(reserve(reserved(3, '09:15'), true))
      .then(reserved(3, '09:15', 30, [1, 2]))
  })

  it('books the same appointment once, even if an overlap is allowed', () => {
    const repeated = reserve(reserved(2, '09:00'), true)
    given(reserved(1, '09:00')).when(repeated).thenRefused('already-booked')
    given(reserved(3, '09:00', 60), reserved(1, '09:00', 30, [3]))
      .when(repeated)
      .thenRefused('already-booked')
    given(reserved(1, '09:00'), released(1)).when(repeated).then(reserved(2, '09:00'))
  })

  it.each([
    ['another patient', { patientId: PatientId.parse(uuid(2, 2)) }],
    ['another type', { type: 'procedure' as const }],
  ])('allows an overlap of the same time for %s', (_, over) => {
    const other = (overlaps: number[]) => reservedForBooking(2, at(2, '09:00', 30, overlaps), over)
    given(reserved(1, '09:00'))
      .when(reserve(other([]), true))
      .then(other([1]))
  })

  it('allows an overlap of the same patient at another time, and with an appointment that moves', () => {
    given(reserved(1, '09:00'))
      .when(reserve(reserved(2, '09:15'), true))
      .then(reserved(2, '09:15', 30, [1]))
    given(reserved(1, '09:00'))
      .when(reserve(reservedForMove(2, at(2, '09:00'), 9), true))
      .then(reservedForMove(2, at(2, '09:00', 30, [1]), 9))
  })

  it('tells the slots of sample appointments from the practice’s own', () => {
    const sample = { ...reserved(1, '09:00'), metadata: { sample: true } }
    const { reservations } = fold(scheduleDecider, [sample, reserved(2, '10:00')])
    expect(reservations.map(({ isSample }) => isSample)).toEqual([true, false])
  })

  it('lets an appointment move and grow across its own slot', () => {
    const longer = reservedForMove(1, at(9, '09:00', 60), 1)
    given(reserved(1, '09:00')).when(reserve(longer)).then(longer)
  })

  it('accepts an overlap again that was accepted before', () => {
    const shorter = reservedForMove(2, at(9, '09:00', 15), 2)
    given(reserved(1, '09:00'), reserved(2, '09:00', 30, [1]))
      .when(reserve(shorter))
      .then(reservedForMove(2, at(9, '09:00', 15, [1]), 2))
    const other = reservedForMove(1, at(9, '09:00', 15), 1)
    given(reserved(1, '09:00'), reserved(2, '09:00', 30, [1]))
      .when(reserve(other))
      .then(reservedForMove(1, at(9, '09:00', 15, [2]), 1))
  })

  it('reserves a slot once, however often it is requested', () => {
    given(reserved(1, '09:00'))
      .when(reserve(reserved(1, '09:00')))
      .thenNothing()
  })

  it('releases a reserved slot, once', () => {
    const release = { type: 'Release', reservationId: reservation(1) } as const
    given(reserved(1, '09:00')).when(release).then(released(1))
    given(reserved(1, '09:00'), released(1)).when(release).thenNothing()
    given().when(release).thenNothing()
    given(reserved(1, '09:00'), released(1))
      .when(reserve(reserved(2, '09:00')))
      .then(reserved(2, '09:00'))
  })

  it('never accepts a released or withdrawn reservation', () => {
    given(reserved(1, '09:00'), released(1))
      .when(reserve(reserved(1, '09:00')))
      .thenRefused('reservation-withdrawn')
    given(withdrawn(1))
      .when(reserve(reserved(1, '09:00')))
      .thenRefused('reservation-withdrawn')
  })

  it('withdraws a reservation only where it was not accepted', () => {
    const withdraw = { type: 'Withdraw', reservationId: reservation(1), appointmentId: appointment(1) } as const
    given().when(withdraw).then(withdrawn(1))
    given(withdrawn(1)).when(withdraw).thenNothing()
    given(reserved(1, '09:00')).when(withdraw).thenNothing()
    given(reserved(1, '09:00'), released(1)).when(withdraw).thenNothing()
  })

  it('reserves the second day of an appointment past midnight', () => {
    const secondDay: ScheduleEvent = {
      type: 'SecondDayReserved',
      data: { appointmentId: appointment(1), practiceId, patientId, slot: at(1, '23:30', 60) },
    }
    given().when({ type: 'Reserve', event: secondDay, allowOverlap: false }).then(secondDay)
    given(secondDay)
      .when(reserve(reserved(2, '23:45', 10)))
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
      return reserve(reservedForMove(n, at(id, time, duration), 0), allow)
    }),
  fc.integer({ min: 1, max: 40 }).map((id) => ({ type: 'Release', reservationId: reservation(id) }) as const),
)

it('never reserves one time for two appointments unless that is recorded', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 40 }), (commands) => {
      const history: ScheduleEvent[] = []
      for (const command of commands) {
        const decision = scheduleDecider.decide(command, fold(scheduleDecider, history))
        if (!isRejection(decision)) history.push(...decision)
      }
      const { reservations } = fold(scheduleDecider, history)
      const unrecorded = reservations.flatMap((one) =>
        reservations.filter(
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
