import { expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { appointmentsProjection, pendingReservationsProjection } from '#modules/appointments/projection.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import {
  appointment,
  patientId,
  practiceId,
  provider,
  reservation,
  reservedForBooking,
  reservedForMove,
  slot,
} from './fixtures.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const nine = slot({ reservation: 1 })
const ten = slot({ reservation: 2, startsAt: '2026-11-20T10:00' })
const about = { appointmentId: appointment(1), patientId }
const booked: AppointmentEvent = {
  type: 'AppointmentBooked',
  data: {
    ...about,
    practiceId,
    slot: nine,
    type: 'consultation',
    reason: null,
    notes: null,
    status: 'scheduled',
    seriesId: null,
    waitlistEntryId: null,
  },
}
const moved: AppointmentEvent = {
  type: 'AppointmentRescheduled',
  data: { ...about, from: nine, to: ten, waitlistEntryId: null },
}
const released: ScheduleEvent = {
  type: 'SlotReleased',
  data: { reservationId: reservation(1), appointmentId: appointment(1) },
}

/** Returns the reservations that are pending after some events. */
function listPending(...events: (ScheduleEvent | AppointmentEvent)[]) {
  const rows: Rows = new Map()
  for (const event of events) applyEvent(pendingReservationsProjection, rows, recordedEvent(event))
  return [...rows.values()].filter((row) => row !== null)
}

it('lists a reserved slot until its appointment is booked or moved there, or it is released', () => {
  const reservedNine = reservedForBooking(1, nine)
  expect(listPending(reservedNine)).toEqual([
    {
      id: reservation(1),
      provider_id: provider(1),
      starts_at: '2026-11-20T09:00:00.000Z',
      ends_at: '2026-11-20T09:30:00.000Z',
    },
  ])
  expect(listPending(reservedNine, released)).toEqual([])
  expect(listPending(reservedNine, booked)).toEqual([])
  const move = [reservedNine, booked, reservedForMove(1, ten, 1)]
  expect(listPending(...move)).toMatchObject([{ id: reservation(2) }])
  expect(listPending(...move, moved, released)).toEqual([])
})

it('occupies its provider as a sample that a user has changed, and not as one that a process has changed', () => {
  const isEdited = (kind: 'user' | 'process') => {
    const rows: Rows = new Map()
    const actor = kind === 'user' ? ({ kind, userId, role: 'staff' } as const) : { kind, name: 'seed-samples' }
    applyEvent(appointmentsProjection, rows, recordedEvent(booked, { metadata: { sample: true } }))
    applyEvent(appointmentsProjection, rows, recordedEvent(moved, { revision: 1, metadata: { sample: true, actor } }))
    return rows.get(appointment(1))
  }
  expect(isEdited('process')).toMatchObject({ sample: true, edited: false })
  expect(isEdited('user')).toMatchObject({ sample: true, edited: true })
})
