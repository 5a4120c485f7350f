import { expect, it } from 'vitest'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { testDecider } from '#modules/integrations/decider.ts'
import { findStatus } from '#modules/integrations/integration-state.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(testDecider)
const test = {
  practiceId: PracticeId.parse('0f6f7a52-1b2c-5d3e-8f4a-5b6c7d8e9f00'),
  userId: UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11'),
  name: 'email',
  error: null,
  durationMs: 84,
} as const
const tested = { type: 'IntegrationTested', data: test } as const

it('records a test once, with its first outcome', () => {
  given().when({ type: 'Record', test }).then(tested)
  given(tested)
    .when({ type: 'Record', test: { ...test, error: 'smtp-535' } })
    .thenNothing()
})

it('shows what the last call shows', () => {
  const [early, late] = [new Date('2026-11-20T08:00:00.000Z'), new Date('2026-11-20T09:00:00.000Z')]
  const failed = (at: Date, code: string) => ({ at, code })
  const statuses = [
    findStatus({ lastSuccessAt: null, lastError: null }, 'connected'),
    findStatus({ lastSuccessAt: early, lastError: null }, 'connected'),
    findStatus({ lastSuccessAt: late, lastError: failed(early, 'ECONNECTION') }, 'operational'),
    findStatus({ lastSuccessAt: early, lastError: failed(late, 'ECONNECTION') }, 'connected'),
    findStatus({ lastSuccessAt: early, lastError: failed(late, 'smtp-451') }, 'connected'),
    findStatus({ lastSuccessAt: null, lastError: failed(late, 'smtp-535') }, 'connected'),
  ]
  expect(statuses).toEqual(['unknown', 'connected', 'operational', 'error', 'rate_limited', 'error'])
})
