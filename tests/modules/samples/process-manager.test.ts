import { expect, it } from 'vitest'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Subscription } from '#modules/billing/events.ts'
import { removeSample, seedSample } from '#modules/samples/jobs.ts'
import { samplePracticeManager } from '#modules/samples/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceDetails } from '#tests/support/practice.ts'

const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const startAfter = '2026-11-20T08:00:10.000Z'

it('finishes seeding a new practice', () => {
  const ownerId = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003')
  const data = { practiceId, ownerId, ...practiceDetails, website: null, npi: null, taxId: null }
  expect(samplePracticeManager.on.PracticeSetUp?.(recordedEvent({ type: 'PracticeSetUp', data }))).toEqual([
    { job: seedSample.name, data: { practiceId }, startAfter },
  ])
})

it('finishes a requested removal', () => {
  const requested = recordedEvent({ type: 'SampleRemovalRequested', data: { practiceId, edited: 'remove' } } as const)
  const requests = samplePracticeManager.on.SampleRemovalRequested?.(requested)
  expect(requests).toEqual([{ job: removeSample.name, data: { practiceId }, startAfter }])
  expect(removeSample.data.parse(requests?.[0]?.data)).toEqual({ practiceId })
})

it('removes the sample data of new subscribers at once, starting with the trial', () => {
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
  const removal = [{ job: removeSample.name, data: { practiceId } }]
  expect(samplePracticeManager.on.TrialStarted?.(recordedEvent({ type: 'TrialStarted', data }))).toEqual(removal)
  expect(
    samplePracticeManager.on.SubscriptionActivated?.(recordedEvent({ type: 'SubscriptionActivated', data })),
  ).toEqual(removal)
})
