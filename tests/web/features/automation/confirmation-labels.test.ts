import { expect, it } from 'vitest'
import { describeResponse, isResendable } from '#web/features/automation/confirmations/labels.ts'

const format = (instant: string) => `at ${instant}`
const sent = { status: 'sent', confirmedAt: null, failure: null, closed: null } as const

it('says that a question about an appointment that was cancelled or moved needs no answer', () => {
  expect(describeResponse(sent, format)).toEqual({ top: '-', bottom: null })
  const closed = { ...sent, closed: 'cancelled' } as const
  expect(describeResponse(closed, format)).toEqual({ top: 'No longer needed', bottom: 'it was cancelled' })
  expect([sent, closed].map(isResendable)).toEqual([true, false])
  const failed = { ...closed, status: 'failed', failure: 'refused', closed: 'moved' } as const
  expect(describeResponse(failed, format)).toEqual({ top: 'No longer needed', bottom: 'it was moved' })
})

it('shows the answer of a patient, also when the appointment was cancelled later', () => {
  const confirmed = { ...sent, status: 'confirmed', confirmedAt: 'noon' } as const
  expect(describeResponse(confirmed, format)).toEqual({ top: 'Yes', bottom: 'at noon' })
})
