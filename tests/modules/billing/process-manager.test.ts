import { expect, it } from 'vitest'
import { fetchMissedUpdates } from '#modules/billing/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceId } from './simulated-subscription.ts'

it('fetches a subscription after a missed update', () => {
  const data = { practiceId, subscriptionId: 'sub_1', version: 7 }
  const noticed = recordedEvent({ type: 'ProviderUpdateMissed', data } as const)
  expect(fetchMissedUpdates.on.ProviderUpdateMissed?.(noticed)).toEqual([
    {
      job: 'fetch-subscription',
      data: {
        practiceId,
        subscriptionId: 'sub_1',
        cause: { correlationId: noticed.metadata.correlationId, causationId: noticed.id },
      },
    },
  ])
})
