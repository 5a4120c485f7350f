import { expect, it } from 'vitest'
import { WaitlistEntry } from '#contracts/waitlist.ts'
import { findWaitingEntry } from '#web/features/appointments/waitlist/waiting-entry.ts'
import { uuid } from '#tests/modules/appointments/fixtures.ts'

const [ada, grace] = [uuid(3, 1), uuid(3, 2)]
const entry = (number: number, over: Partial<Record<keyof WaitlistEntry, unknown>> = {}) =>
  WaitlistEntry.parse({
    id: uuid(7, number),
    patientId: ada,
    patient: { firstName: 'Ada', lastName: 'Lovelace' },
    patientDeceased: false,
    providerId: null,
    type: 'check-up',
    duration: 30,
    earliest: null,
    latest: null,
    appointmentId: null,
    notes: null,
    waitingSince: '2026-11-01T10:00:00.000Z',
    ...over,
  })

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
