import { expect, it } from 'vitest'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { bookAgain, isBookedAgain } from '#web/features/appointments/booking/book-again.ts'
import { chenId, createAppointment, id, parkId } from '../fixture.ts'

const context = { today: '2026-11-30', activeProviders: [{ id: chenId }, { id: parkId }] as unknown as Provider[] }
const patient = { id: id(20), firstName: 'Grace', lastName: 'Liu', dateOfBirth: null }

it('books what did not take place again, with the same provider', () => {
  const missed = createAppointment({
    status: 'no-show',
    providerId: parkId,
    duration: 45,
    reason: 'Knee',
    notes: 'Late',
  })
  const prefill = { patient, type: 'consultation', duration: '45', reason: 'Knee', notes: '' }
  expect(bookAgain(missed, context)).toEqual({ date: '2026-11-30', time: undefined, providerId: parkId, prefill })
})

it('leaves type, duration and reason open after an appointment that took place', () => {
  const completed = createAppointment({ status: 'completed', duration: 45, reason: 'Knee' })
  expect(bookAgain(completed, context).prefill).toEqual({ patient, type: '', duration: '30', reason: '', notes: '' })
})

it('names another provider where the former one has left', () => {
  const left = createAppointment({ status: 'cancelled', providerId: id(3) })
  expect(bookAgain(left, context).providerId).toBe(chenId)
  expect(bookAgain(left, { ...context, activeProviders: [] }).providerId).toBe('')
})

it('is offered once an appointment is over', () => {
  const isOffered = (status: AppointmentStatus) => isBookedAgain({ status })
  expect((['completed', 'cancelled', 'no-show'] as const).every(isOffered)).toBe(true)
  expect((['scheduled', 'confirmed', 'waiting', 'in-progress'] as const).some(isOffered)).toBe(false)
})
