import { toCause, defineProcessManager } from '#process-managers/process-manager.ts'
import type { UserEvent } from '#modules/accounts/events.ts'
import type { TeamEvent } from '#modules/team/events.ts'
import type { BillingEvent } from './events.ts'

/** The job that fetches a subscription from the payment provider. */
export const fetchSubscriptionJob = 'fetch-subscription'

/** The job that gives the payment provider the current address of a practice's owner. */
export const updateContactJob = 'update-billing-contact'

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

type ContactEvent = UserEvent | Extract<TeamEvent, { type: 'OwnershipTransferred' }>

/** Gives the payment provider the address of a practice's owner when it or the owner changes: invoices are sent to it. */
export const followContacts = defineProcessManager<ContactEvent>({
  name: 'follow-billing-contacts',
  on: {
    EmailChanged: ({ data: { userId }, metadata: { practiceId } }) =>
      practiceId === null ? [] : [{ job: updateContactJob, data: { practiceId, userId } }],
    OwnershipTransferred: ({ data: { practiceId, to } }) => [
      { job: updateContactJob, data: { practiceId, userId: to } },
    ],
  },
})
