import { describe, expect, it } from 'vitest'
import { WaitlistEntryId } from '#contracts/values/ids.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { waitlist } from '#modules/waitlist/module.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import type { WaitlistEvent } from '#modules/waitlist/events.ts'
import { closeWaitlistEntries } from '#modules/waitlist/process-manager.ts'
import {
  appointment,
  patientId,
  practiceId,
  reservedForBooking,
  slot,
  uuid,
} from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'

const nine = slot({ reservation: 1 })
const ten = slot({ reservation: 2, startsAt: '2026-11-20T10:00' })
const waitlistEntryId = WaitlistEntryId.parse(uuid(7, 1))
const requests = (event: AppointmentEvent | PatientEvent | WaitlistEvent, sample = false) =>
  requestsOf(closeWaitlistEntries, waitlist, event, sample)
const removal = {
  job: 'remove-from-waitlist',
  after: '2026-11-20T08:00:10.000Z',
  practiceId,
  waitlistEntryId,
}
const of = (start: typeof nine) => ({ booked: { appointmentId: appointment(1), startsAt: start.startsAt } })

const booked = (entry: WaitlistEntryId | null): AppointmentEvent => {
  const { completion: _, ...data } = reservedForBooking(1, nine, { waitlistEntryId: entry }).data
  return { type: 'AppointmentBooked', data }
}
const rescheduled = (entry: WaitlistEntryId | null): AppointmentEvent => ({
  type: 'AppointmentRescheduled',
  data: { appointmentId: appointment(1), patientId, from: nine, to: ten, waitlistEntryId: entry },
})
const patientRemoved: PatientEvent = {
  type: 'PatientRemoved',
  data: { patientId, reason: 'deleted', firstName: 'Grace', lastName: 'Liu' },
}

describe('a waitlist entry', () => {
  it('is removed after a booking or a move that was made for it', () => {
    expect(requests(booked(waitlistEntryId))).toEqual([{ ...removal, ...of(nine) }])
    expect(requests(rescheduled(waitlistEntryId))).toEqual([{ ...removal, ...of(ten) }])
  })

  it('is not affected by other bookings and moves', () => {
    expect(requests(booked(null))).toEqual([])
    expect(requests(rescheduled(null))).toEqual([])
  })

  it('is removed at once with its patient', () => {
    expect(requests(patientRemoved)).toEqual([
      { job: 'remove-patient-from-waitlist', after: '2026-11-20T08:00:00.000Z', practiceId, patientId },
    ])
  })

  it('is checked after it was added, in case its patient was removed at the same time', () => {
    const wishes = { type: 'check-up', duration: 30, earliest: null, latest: null, notes: null } as const
    const data = { waitlistEntryId, practiceId, patientId, providerId: null, appointmentId: null, ...wishes }
    expect(requests({ type: 'PatientAddedToWaitlist', data })).toEqual([
      { job: 'finish-adding-to-waitlist', after: '2026-11-20T08:00:10.000Z', practiceId, patientId },
    ])
  })

  it('is left to the samples module when it belongs to a sample practice', () => {
    expect(requests(booked(waitlistEntryId), true)).toEqual([])
    expect(requests(patientRemoved, true)).toEqual([])
  })
})
