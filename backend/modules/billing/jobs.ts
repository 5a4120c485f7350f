import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { billingDecider } from './decider.ts'
import { forEachActive } from './for-each-active.ts'
import { ProviderObjectId, type ProviderUpdate } from './payment-provider.ts'
import { fetchSubscriptionJob } from './process-manager.ts'
import { enqueueMessage, handleMessageJob } from './receive-message.ts'
import { findProvider, requireProvider } from './select-provider.ts'
import { deleteOldMessages, loadMessage, sealClearMessages } from './stored-messages.ts'

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

/** Age at which an unhandled message is requeued: by then its job exists, or the process that stored it has crashed. */
const requeueAfterMs = 60_000

/** Enqueues messages whose job is missing because the process that stored them crashed. */
export const requeueMessages = defineJob({
  name: 'requeue-provider-messages',
  data: z.strictObject({}),
  schedule: '* * * * *',
  async run({ pool, jobs, clock }, _, { signal }) {
    const { rows } = await pool.query<{ message_id: string }>(
      'select message_id from app.provider_messages where handled_at is null and received_at < $1 order by received_at limit 1000',
      [new Date(clock().getTime() - requeueAfterMs)],
    )
    for (const { message_id: messageId } of rows) {
      signal.throwIfAborted()
      await enqueueMessage(jobs, messageId)
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
