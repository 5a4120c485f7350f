import { expect, it } from 'vitest'
import { fetchMissedUpdates } from '#modules/billing/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceId } from './simulated-subscription.ts'

it('asks the payment provider for a subscription of which something is missing', () => {
  const data = { practiceId, subscriptionId: 'sub_1', version: 7 }
  const noticed = recordedEvent({ type: 'GapNoticed', data } as const)
  expect(fetchMissedUpdates.on.GapNoticed?.(noticed)).toEqual([
    {
      job: 'ask-payment-provider',
      data: {
        practiceId,
        subscriptionId: 'sub_1',
        cause: { correlationId: noticed.metadata.correlationId, causationId: noticed.id },
      },
    },
  ])
})
