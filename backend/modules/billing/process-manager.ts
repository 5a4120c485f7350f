import { toCause, defineProcessManager } from '#process-managers/process-manager.ts'
import type { BillingEvent } from './events.ts'

/** The job that asks the payment provider for a subscription as it is now. */
export const fetchSubscriptionJob = 'ask-payment-provider'

/** What is missing is fetched, never guessed. */
export const fetchMissedUpdates = defineProcessManager<BillingEvent>({
  name: 'heal-billing-gaps',
  on: {
    GapNoticed: (event) => {
      const { practiceId, subscriptionId } = event.data
      return [{ job: fetchSubscriptionJob, data: { practiceId, subscriptionId, cause: toCause(event) } }]
    },
  },
})
