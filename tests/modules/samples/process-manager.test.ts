import { expect, it } from 'vitest'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Subscription } from '#modules/billing/events.ts'
import { removeSample, seedSample } from '#modules/samples/jobs.ts'
import { samplePracticeManager } from '#modules/samples/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceDetails } from '#tests/support/practice.ts'

const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const soon = '2026-11-20T08:00:10.000Z'

it('brings the sample of a new practice to its end, should nobody else have', () => {
  const ownerId = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003')
  const data = { practiceId, ownerId, ...practiceDetails, website: null, npi: null, taxId: null }
  expect(samplePracticeManager.on.PracticeSetUp?.(recordedEvent({ type: 'PracticeSetUp', data }))).toEqual([
    { job: seedSample.name, data: { practiceId }, startAfter: soon },
  ])
})

it('brings its removal to its end', () => {
  const asked = recordedEvent({ type: 'SampleRemovalRequested', data: { practiceId, edited: 'remove' } } as const)
  const requests = samplePracticeManager.on.SampleRemovalRequested?.(asked)
  expect(requests).toEqual([{ job: removeSample.name, data: { practiceId }, startAfter: soon }])
  expect(removeSample.data.parse(requests?.[0]?.data)).toEqual({ practiceId })
})

it('takes the sample away from whoever subscribes, from the trial on', () => {
  const at = '2026-11-20T08:00:00.000Z'
  const subscription: Subscription = {
    subscriptionId: 'sub_1',
    checkoutId: null,
    status: 'trialing',
    plan: 'starter',
    nextPlan: null,
    cancelAtPeriodEnd: false,
    createdAt: at,
    currentPeriodStart: at,
    currentPeriodEnd: '2026-12-20T08:00:00.000Z',
    trialEnd: '2026-12-20T08:00:00.000Z',
  }
  const data = { practiceId, observed: { version: 1, at }, subscription }
  const removal = [{ job: removeSample.name, data: { practiceId }, startAfter: soon }]
  expect(samplePracticeManager.on.TrialStarted?.(recordedEvent({ type: 'TrialStarted', data }))).toEqual(removal)
  expect(
    samplePracticeManager.on.SubscriptionActivated?.(recordedEvent({ type: 'SubscriptionActivated', data })),
  ).toEqual(removal)
})
