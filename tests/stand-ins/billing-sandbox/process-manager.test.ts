import { expect, it } from 'vitest'
import { sandboxDecider } from '#stand-ins/billing-sandbox/decider.ts'
import { sendSandboxMessages } from '#stand-ins/billing-sandbox/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import {
  start,
  createCheckoutId,
  practiceId,
  createSubscriptionId,
} from '#tests/modules/billing/simulated-subscription.ts'

it('requests the delivery of every change by its revision, without its content', () => {
  const decided = sandboxDecider.decide(
    {
      type: 'Create',
      practiceId,
      now: start,
      subscriptionId: createSubscriptionId(1),
      checkoutId: createCheckoutId(1),
      plan: 'starter',
    },
    sandboxDecider.initial,
  )
  const [created] = decided as Extract<typeof decided, readonly unknown[]>
  if (created?.type !== 'SandboxSubscriptionChanged') throw new Error('A subscription was expected')
  const event = recordedEvent(created, { revision: 4 })
  expect(sendSandboxMessages.on.SandboxSubscriptionChanged?.(event)).toEqual([
    {
      job: 'deliver-sandbox-message',
      data: {
        practiceId,
        revision: 4,
        cause: { correlationId: event.metadata.correlationId, causationId: event.id },
      },
    },
  ])
})
