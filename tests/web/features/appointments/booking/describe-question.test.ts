import { expect, it } from 'vitest'
import type { Confirmation } from '#contracts/confirmations.ts'
import { describeQuestion } from '#web/features/appointments/booking/describe-question.ts'

const question = {
  status: 'sent',
  closed: null,
  reminderType: 'sms',
  scheduledFor: 'Monday',
  sentAt: 'Tuesday',
  confirmedAt: null,
  delivery: 'sent',
} as const

it.each<[Partial<Confirmation>, string | null]>([
  [{ status: 'pending', sentAt: null }, 'To be asked by text message, at Monday'],
  [{}, 'Asked by text message, at Tuesday: no answer yet'],
  [{ reminderType: 'email' }, 'Asked by email, at Tuesday: no answer yet'],
  [{ delivery: 'outbox' }, 'Asked by text message, at Tuesday: kept in the outbox'],
  [{ status: 'failed', sentAt: null }, 'Could not be asked by text message'],
  [{ status: 'confirmed', confirmedAt: 'Friday' }, 'Confirmed by the patient, at Friday'],
  [{ status: 'declined', confirmedAt: 'Friday' }, 'Declined by the patient, at Friday'],
  [{ closed: 'moved' }, null],
  [{ status: 'declined', confirmedAt: 'Friday', closed: 'cancelled' }, 'Declined by the patient, at Friday'],
])('a question with %j says %j', (over, expected) => {
  expect(describeQuestion({ ...question, ...over }, (instant) => `at ${instant}`)).toBe(expected)
})
