import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { billingDecider } from './decider.ts'
import { forEachActive } from './for-each-active.ts'
import { ProviderObjectId, type ProviderUpdate } from './payment-provider.ts'
import { fetchSubscriptionJob, updateContactJob } from './process-manager.ts'
import { enqueueMessage, handleMessageJob } from './receive-message.ts'
import type { ActiveSubscription } from './queries.ts'
import { sandboxSubscriptionPrefix } from './sandbox/events.ts'
import { findProvider, requireProvider } from './select-provider.ts'
import { billingSettings } from './settings.ts'
import { deleteOldMessages, findMessagesWithoutJob, loadMessage, sealClearMessages } from './stored-messages.ts'

/** The command context of updates from the payment provider. */
export const providerContext = (practiceId: PracticeId, cause: Pick<CommandContext, 'correlationId' | 'causationId'>) =>
  ({ practiceId, actor: { kind: 'process', name: 'payment-provider' }, ...cause }) satisfies CommandContext

const recordUpdate = async ({ bus }: Services, { practiceId, snapshot }: ProviderUpdate, cause: Cause) =>
  await bus.execute(
    billingDecider,
    practiceId,
    { type: 'RecordProviderUpdate', practiceId, snapshot },
    providerContext(practiceId, cause),
  )

/** Records the content of a webhook; one that is not relevant here is only marked as handled. */
export const handleMessage = defineJob({
  name: handleMessageJob,
  data: z.strictObject({ messageId: ProviderObjectId }),
  async run(services, { messageId }, { id }) {
    const { pool, clock } = services
    const message = await loadMessage(services, messageId)
    if (!message) return
    const update = requireProvider(services).read(message)
    if (update) await recordUpdate(services, update, { correlationId: id, causationId: id })
    await pool.query('update app.provider_messages set handled_at = $2 where message_id = $1 and handled_at is null', [
      messageId,
      clock(),
    ])
  },
})

/** Age at which a message without a job is enqueued: by then its job exists, or the process that stored it has crashed. */
const requeueAfterMs = 60_000

/** Enqueues messages whose job is missing because the process that stored them crashed. */
export const requeueMessages = defineJob({
  name: 'requeue-provider-messages',
  data: z.strictObject({}),
  schedule: '* * * * *',
  async run(services, _, { signal }) {
    const { pool, clock } = services
    const storedBefore = new Date(clock().getTime() - requeueAfterMs)
    for (const messageId of await findMessagesWithoutJob(pool, storedBefore)) {
      signal.throwIfAborted()
      await enqueueMessage(services, messageId)
    }
  },
})

/** Limits what is stored of the payment provider's messages. */
export const purgeMessages = defineJob({
  name: 'purge-provider-messages',
  data: z.strictObject({}),
  schedule: '41 3 * * *',
  async run(services, _, { signal }) {
    await deleteOldMessages(services.pool, services.clock())
    await sealClearMessages(services, signal)
  },
})

/** Fetches the current state of a subscription from the payment provider. */
export const fetchSubscription = defineJob({
  name: fetchSubscriptionJob,
  data: z.strictObject({ practiceId: PracticeId, subscriptionId: ProviderObjectId, cause: Cause }),
  async run(services, { practiceId, subscriptionId, cause }) {
    const snapshot = await requireProvider(services).getSubscription({ practiceId, subscriptionId })
    if (snapshot) await recordUpdate(services, { practiceId, snapshot }, cause)
  },
})

/** Gives the payment provider the address of a practice's owner, after it or the owner changed. */
export const updateContact = defineJob({
  name: updateContactJob,
  data: z.strictObject({ practiceId: PracticeId, userId: UserId }),
  retry: followUpRetry,
  async run(services, { practiceId, userId }) {
    await waitForReadModels(services, ['EmailChanged', 'PracticeSetUp', 'OwnershipTransferred'])
    const practice = await findPracticeProfile(services.db, practiceId)
    if (practice?.ownerId === userId) await findProvider(services)?.updateContact(practiceId)
  },
})

/** Fetches every subscription twice a day: losing the last webhook of a subscription leaves no detectable gap. */
export const reconcileSubscriptions = defineJob({
  name: 'reconcile-subscriptions',
  data: z.strictObject({}),
  schedule: '17 5,17 * * *',
  async run(services, _, { id, signal }) {
    const provider = findProvider(services)
    // Without a payment provider there is nothing to reconcile, and nothing has failed.
    if (!provider) return
    await forEachActive(services, signal, async ({ practiceId, subscriptionId }) => {
      const snapshot = await provider.getSubscription({ practiceId, subscriptionId })
      if (snapshot) await recordUpdate(services, { practiceId, snapshot }, { correlationId: id, causationId: id })
    })
  },
})

/**
 * Ends the subscriptions of the sandbox once Stripe takes the payments: Stripe does not know them, and nothing is paid for
 * them. Data and patient limit stay, and the practice can choose a plan.
 */
export const endSandboxSubscriptions = defineJob({
  name: 'end-sandbox-subscriptions',
  data: z.strictObject({}),
  schedule: '* * * * *',
  async run(services, _, { id, signal }) {
    const { bus, clock } = services
    if (billingSettings.read(services).stripe === null) return
    const end = ({ practiceId }: ActiveSubscription) => {
      const command = { type: 'EndSandboxSubscription', practiceId, at: clock().toISOString() } as const
      const cause = { correlationId: id, causationId: id }
      return bus.execute(billingDecider, practiceId, command, providerContext(practiceId, cause))
    }
    await forEachActive(services, signal, end, sandboxSubscriptionPrefix)
  },
})
