import { describe, expect, it } from 'vitest'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { appointments } from '#modules/appointments/module.ts'
import { resumeBookings } from '#modules/appointments/process-manager.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'
import { requestsOf } from './follow-ups.ts'
import { appointment, patientId, practiceId, reservedForBooking, reservedForMove, slot } from './fixtures.ts'

type Event = ScheduleEvent | AppointmentEvent | PatientEvent

const nine = slot({ reservation: 1 })
const ten = slot({ reservation: 2, startsAt: '2026-11-20T10:00' })
const reference = ({ providerId, days, reservationId }: typeof nine) => ({ providerId, days, reservationId })
const requests = (event: Event, sample = false) => requestsOf(resumeBookings, appointments, event, sample)
const soon = '2026-11-20T08:00:10.000Z'

const about = { appointmentId: appointment(1), patientId }
const cancelled: Extract<Event, { type: 'AppointmentCancelled' }> = {
  type: 'AppointmentCancelled',
  data: { ...about, slot: ten, from: 'scheduled', isOnDayList: true, cause: 'requested', revertedCompletion: null },
}
const removed: Event = { type: 'AppointmentRemoved', data: { ...about, slot: ten, reason: 'sample-removed' } }

describe('an interrupted request', () => {
  it('confirms a reservation', () => {
    const expected = [{ job: 'confirm-reservation', after: soon, appointmentId: appointment(1), ...reference(nine) }]
    expect(requests(reservedForBooking(1, nine))).toEqual(expected)
    expect(requests(reservedForMove(1, nine, 2))).toEqual(expected)
  })

  it('has nothing to confirm when the appointment was booked or moved in the same append', () => {
    expect(requests(reservedForBooking(1, nine, { isConfirmed: true }))).toEqual([])
    expect(requests(reservedForMove(1, nine, 2, { isConfirmed: true }))).toEqual([])
  })

  it('withdraws an appointment of which only the second day is reserved', () => {
    const data = { appointmentId: appointment(1), practiceId, patientId, slot: nine }
    expect(requests({ type: 'SecondDayReserved', data })).toEqual([
      { job: 'withdraw-reservation', after: soon, appointmentId: appointment(1), ...reference(nine) },
    ])
  })

  it('releases the slot an appointment has left, unless it was released in the same append', () => {
    const moved = { ...about, from: nine, to: ten, waitlistEntryId: null }
    const rescheduled: Event = { type: 'AppointmentRescheduled', data: moved }
    expect(requests({ type: 'AppointmentRescheduled', data: { ...moved, isReleased: true } })).toEqual([])
    expect(requests({ ...cancelled, data: { ...cancelled.data, isReleased: true } })).toEqual([])
    const release = { job: 'release-slot', after: soon, practiceId }
    expect(requests(rescheduled)).toEqual([{ ...release, ...reference(nine) }])
    expect(requests(cancelled)).toEqual([{ ...release, ...reference(ten) }])
  })

  it('is left to the samples module in a sample practice, except where a user was involved', () => {
    const { completion: _, ...data } = reservedForBooking(1, nine).data
    const patient = { patientId, reason: 'sample-removed', firstName: 'Aisha', lastName: 'Rahman' } as const
    const events: Event[] = [
      reservedForBooking(1, nine),
      { type: 'AppointmentBooked', data },
      cancelled,
      removed,
      { type: 'PatientRemoved', data: patient },
    ]
    for (const event of events) expect(requests(event, true)).toEqual([])
    expect(requests(removed)).toEqual([{ job: 'release-slot', after: soon, practiceId, ...reference(ten) }])
    expect(requests({ type: 'PatientRemoved', data: patient })).toHaveLength(1)
  })
})

it('cancels the upcoming appointments of a removed patient at once', () => {
  const data = { patientId, reason: 'deleted', firstName: 'Grace', lastName: 'Liu' } as const
  expect(requests({ type: 'PatientRemoved', data })).toEqual([
    { job: 'cancel-upcoming-appointments', after: '2026-11-20T08:00:00.000Z', practiceId, patientId },
  ])
})
