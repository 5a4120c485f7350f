import { describe, expect, it } from 'vitest'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { confirmations } from '#modules/confirmations/module.ts'
import type { ConfirmationEvent } from '#modules/confirmations/events.ts'
import { type Circumstances, findObstacle } from '#modules/confirmations/obstacle.ts'
import { askPatients } from '#modules/confirmations/process-manager.ts'
import { appointment, practiceId, reservation, reservedForBooking, slot } from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { about, answered, confirmationId, failed, later, plan, planned, replanned, resent, sent } from './fixtures.ts'

const asked = {
  status: 'scheduled',
  reservationId: reservation(1),
  startsAt: '2026-11-20T14:00:00.000Z',
} as const
const usual: Circumstances = {
  appointment: asked,
  reservationId: reservation(1),
  patient: { removed: false, deceased: false },
  hasPlan: true,
  isWanted: true,
  now: '2026-11-19T14:00:00.000Z',
}
const find = (over: Partial<Circumstances> = {}) => findObstacle({ ...usual, ...over })

it('a patient is asked about a scheduled appointment at its time, and not otherwise', () => {
  expect(find()).toBeNull()
  expect(find({ appointment: null })).toBe('cancelled')
  expect(find({ appointment: { ...asked, status: 'cancelled' } })).toBe('cancelled')
  expect(find({ reservationId: reservation(2) })).toBe('moved')
  expect(find({ patient: null })).toBe('patient-removed')
  expect(find({ patient: { removed: true, deceased: false } })).toBe('patient-removed')
  expect(find({ patient: { removed: false, deceased: true } })).toBe('deceased')
  expect(find({ now: asked.startsAt })).toBe('over')
  expect(find({ appointment: { ...asked, status: 'confirmed' } })).toBe('answered')
  expect(find({ hasPlan: false })).toBe('no-plan')
  expect(find({ isWanted: false })).toBe('switched-off')
})

describe('the process manager', () => {
  const requests = (event: AppointmentEvent | ConfirmationEvent, sample = false) =>
    requestsOf(askPatients, confirmations, event, sample)
  const { completion: _, ...booking } = reservedForBooking(1, slot({ reservation: 1 })).data
  const booked: AppointmentEvent = { type: 'AppointmentBooked', data: booking }

  it('plans the questions about an appointment that was booked, but not about a sample', () => {
    const data = { practiceId, appointmentId: appointment(1) }
    expect(requests(booked)).toEqual([expect.objectContaining({ job: 'plan-confirmations', ...data })])
    expect(requests(booked, true)).toEqual([])
  })

  it('sends a message at its instant, in every attempt', () => {
    const send = { job: 'send-confirmation', confirmationId, practiceId }
    const first = expect.objectContaining({ ...send, attempt: 1, dueAt: plan.dueAt, after: plan.dueAt })
    expect(requests(planned)).toEqual([first])
    expect(requests(replanned)).toEqual([expect.objectContaining({ ...send, attempt: 1, after: later })])
    expect(requests(resent())).toEqual([expect.objectContaining({ ...send, attempt: 2, after: later })])
  })

  it('lets the message about the earlier appointment leave first, also when it is planned again', () => {
    const priorityOf = (event: ConfirmationEvent) =>
      getJobRequests(askPatients, recordedEvent(event, { metadata: { practiceId } }))[0]?.priority
    const earlier = { ...plan, startsAt: '2026-11-20T13:45:00.000Z' }
    const first = priorityOf({ type: 'ConfirmationPlanned', data: earlier }) ?? Number.NaN
    expect(first - (priorityOf(planned) ?? Number.NaN)).toBe(15)
    expect([priorityOf(replanned), priorityOf(resent())]).toEqual([priorityOf(planned), priorityOf(planned)])
    expect(Math.abs(first)).toBeLessThan(2 ** 31)
    // An event from before the field was there.
    const { startsAt: _, ...older } = { ...about, dueAt: later, startsAt: plan.startsAt }
    expect(priorityOf({ type: 'ConfirmationReplanned', data: older })).toBeUndefined()
  })

  it('applies the answer of a patient', () => {
    const apply = expect.objectContaining({ job: 'apply-confirmation-answer', confirmationId })
    expect(requests(answered('declined'))).toEqual([apply])
  })

  it.each([sent(), failed()])('does nothing after $type', (event) => {
    expect(requests(event)).toEqual([])
  })
})
