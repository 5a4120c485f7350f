import { expect, it } from 'vitest'
import { findEarlierWish, findWaitingEntry } from '#web/features/appointments/waitlist/waiting-entry.ts'
import { uuid } from '#tests/modules/appointments/fixtures.ts'
import { createEntry } from './fixture.ts'

const [ada, grace] = [uuid(3, 1), uuid(3, 2)]
const entry = (number: number, over: Parameters<typeof createEntry>[1] = {}) =>
  createEntry(number, { patientId: ada, ...over })
it('finds the entry of the patient that an appointment of this type fulfils, or another one', () => {
  const [first, second, other] = [entry(1), entry(2, { type: 'follow-up' }), entry(3, { patientId: grace })]
  const entries = [first, second, other]
  expect(findWaitingEntry(entries, ada, 'follow-up')).toBe(second)
  expect(findWaitingEntry(entries, ada, 'consultation')).toBe(first)
  expect(findWaitingEntry(entries, grace, '')).toBe(other)
  expect(findWaitingEntry(entries, undefined, 'check-up')).toBeUndefined()
})

it('leaves an entry alone that asks for an earlier time of an appointment', () => {
  const earlier = entry(1, { appointmentId: uuid(5, 1) })
  expect(findWaitingEntry([earlier], ada, 'check-up')).toBeUndefined()
})

it('finds the entry that asks for an earlier time of an appointment', () => {
  const [first, second] = [entry(1), entry(2, { appointmentId: uuid(5, 1) })]
  expect(findEarlierWish([first, second], uuid(5, 1))).toBe(second)
  expect(findEarlierWish([first, second], uuid(5, 2))).toBeUndefined()
})
