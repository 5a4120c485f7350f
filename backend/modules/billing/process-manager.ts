import { toCause, defineProcessManager } from '#process-managers/process-manager.ts'
import type { BillingEvent } from './events.ts'

/** The job that fetches a subscription from the payment provider. */
export const fetchSubscriptionJob = 'fetch-subscription'

/** Fetches the current state after a missed update; it is never inferred. */
export const fetchMissedUpdates = defineProcessManager<BillingEvent>({
  name: 'fetch-missed-provider-updates',
  on: {
    ProviderUpdateMissed: (event) => {
      const { practiceId, subscriptionId } = event.data
      return [{ job: fetchSubscriptionJob, data: { practiceId, subscriptionId, cause: toCause(event) } }]
    },
  },
})
