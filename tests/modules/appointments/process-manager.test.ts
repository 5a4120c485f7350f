import { describe, expect, it } from 'vitest'
import { SeriesId, WaitlistEntryId } from '#contracts/values/ids.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { resumeBooking } from '#modules/appointments/jobs.ts'
import { resumeBookings, resumeBookingJob } from '#modules/appointments/process-manager.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'
import type { SeriesEvent } from '#modules/series/events.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { heldForBooking, heldForMove, patientId, place, practiceId, uuid, appointment } from './fixtures.ts'

type Fact = ScheduleEvent | AppointmentEvent | SeriesEvent | PatientEvent

const nine = place({ hold: 1 })
const ten = place({ hold: 2, startsAt: '2026-11-20T10:00' })
const where = ({ providerId, days, holdId }: typeof nine) => ({ providerId, days, holdId })
const waitlistEntryId = WaitlistEntryId.parse(uuid(7, 1))
const asked = (event: Fact, sample = false) => {
  const fact = recordedEvent(event, { metadata: { practiceId, sample } })
  const requests = getJobRequests(resumeBookings, fact)
  for (const { job, data } of requests) {
    expect(job).toBe(resumeBookingJob)
    // What is asked for is what the job takes, and holds nothing but ids.
    expect(resumeBooking.data.parse(data)).toEqual(data)
    // What is done then belongs to what happened before.
    expect(data).toMatchObject({ cause: { correlationId: fact.metadata.correlationId, causationId: fact.id } })
  }
  return requests.map(({ data, startAfter }) => {
    const { cause: _, ...task } = data as { cause: object }
    return { after: startAfter, ...task }
  })
}
const soon = '2026-11-20T08:00:10.000Z'

describe('what was begun', () => {
  it('lets an appointment follow its place', () => {
    const todo = [{ after: soon, do: 'carry-on', ...where(nine) }]
    expect(asked(heldForBooking(1, nine))).toEqual(todo)
    expect(asked(heldForMove(1, nine, 2))).toEqual(todo)
  })

  it('ends a night of which only the second day is held', () => {
    const along = { appointmentId: appointment(1), practiceId, patientId, place: nine }
    expect(asked({ type: 'SlotHeldAlong', data: along })).toEqual([
      { after: soon, do: 'give-up', appointmentId: appointment(1), ...where(nine) },
    ])
  })

  it('frees the place an appointment has left', () => {
    const data = { appointmentId: appointment(1), patientId, from: nine, to: ten, waitlistEntryId }
    expect(asked({ type: 'AppointmentRescheduled', data })).toEqual([
      { after: soon, do: 'release', practiceId, ...where(nine) },
      { after: soon, do: 'end-waiting', practiceId, waitlistEntryId },
    ])
    const cancelled = { from: 'scheduled', listed: true, cause: 'asked', takesBack: null } as const
    expect(
      asked({
        type: 'AppointmentCancelled',
        data: { appointmentId: appointment(1), patientId, place: ten, ...cancelled },
      }),
    ).toEqual([{ after: soon, do: 'release', practiceId, ...where(ten) }])
  })

  it('looks after a booking whether its patient is still there and waits no more', () => {
    const { completion: _, ...data } = heldForBooking(1, nine, { waitlistEntryId }).data
    expect(asked({ type: 'AppointmentBooked', data })).toEqual([
      { after: soon, do: 'after-booking', practiceId, appointmentId: appointment(1), patientId, waitlistEntryId },
    ])
  })

  it('books the rest of a row of appointments', () => {
    const seriesId = SeriesId.parse(uuid(6, 1))
    const data = {
      seriesId,
      practiceId,
      patientId,
      type: 'follow-up',
      reason: null,
      notes: null,
      appointments: [],
    } as const
    expect(asked({ type: 'SeriesPlanned', data: { ...data, appointments: [] } })).toEqual([
      { after: '2026-11-20T08:01:00.000Z', do: 'book-series', seriesId },
    ])
  })

  it('leaves a sample practice to those who write it, but for what the practice has worked on', () => {
    const { completion: _, ...data } = heldForBooking(1, nine).data
    const ended = { from: 'scheduled', listed: true, cause: 'asked', takesBack: null } as const
    const cancelled = { appointmentId: appointment(1), patientId, place: ten, ...ended }
    const removed = { appointmentId: appointment(1), patientId, place: ten, reason: 'sample-removed' } as const
    const patient = { patientId, reason: 'sample-removed', firstName: 'Aisha', lastName: 'Rahman' } as const
    const facts: Fact[] = [
      heldForBooking(1, nine),
      { type: 'AppointmentBooked', data },
      { type: 'AppointmentCancelled', data: cancelled },
      { type: 'AppointmentRemoved', data: removed },
      { type: 'PatientRemoved', data: patient },
    ]
    for (const fact of facts) expect(asked(fact, true)).toEqual([])
    expect(asked({ type: 'AppointmentRemoved', data: removed })).toEqual([
      { after: soon, do: 'release', practiceId, ...where(ten) },
    ])
    expect(asked({ type: 'PatientRemoved', data: patient })).toHaveLength(1)
  })

  it('cancels at once what a removed patient had before them', () => {
    const data = { patientId, reason: 'deleted', firstName: 'Grace', lastName: 'Liu' } as const
    expect(asked({ type: 'PatientRemoved', data })).toEqual([
      { after: '2026-11-20T08:00:00.000Z', do: 'cancel-appointments', practiceId, patientId },
    ])
  })
})
