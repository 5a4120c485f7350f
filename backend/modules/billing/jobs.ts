import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { billingDecider } from './decider.ts'
import { ProviderObjectId, type ProviderUpdate } from './payment-provider.ts'
import { fetchSubscriptionJob } from './process-manager.ts'
import { findProvider, requireProvider } from './select-provider.ts'
import { forEachActive } from './for-each-active.ts'
import { enqueueMessage, handleMessageJob } from './receive-message.ts'

/** In whose name the facts of the payment provider are written down. */
export const providerContext = (practiceId: PracticeId, cause: Pick<CommandContext, 'correlationId' | 'causationId'>) =>
  ({ practiceId, actor: { kind: 'process', name: 'payment-provider' }, ...cause }) satisfies CommandContext

const recordUpdate = async ({ bus }: Services, { practiceId, fact }: ProviderUpdate, cause: Cause) =>
  await bus.execute(
    billingDecider,
    practiceId,
    { type: 'TakeIn', practiceId, fact },
    providerContext(practiceId, cause),
  )

/** Takes in what a message of the payment provider says; what does not matter here is kept and left alone. */
export const handleMessage = defineJob({
  name: handleMessageJob,
  data: z.strictObject({ messageId: ProviderObjectId }),
  async run(services, { messageId }, { id }) {
    const { pool, clock } = services
    const { rows } = await pool.query<{ type: string; object: unknown; created_at: Date }>(
      'select type, object, created_at from app.provider_messages where message_id = $1',
      [messageId],
    )
    const [message] = rows
    if (!message) return
    const told = requireProvider(services).read({ ...message, createdAt: message.created_at.toISOString() })
    if (told) await recordUpdate(services, told, { correlationId: id, causationId: id })
    await pool.query('update app.provider_messages set handled_at = $2 where message_id = $1 and handled_at is null', [
      messageId,
      clock(),
    ])
  },
})

/** By then whoever kept a message has put its job down, or has ended before; in milliseconds. */
const requeueAfterMs = 60_000

/** Messages whose job was never put down, because the process that kept them ended, are left to one now. */
export const requeueMessages = defineJob({
  name: 'handle-left-provider-messages',
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

/** Asks the payment provider for a subscription as it is now. */
export const fetchSubscription = defineJob({
  name: fetchSubscriptionJob,
  data: z.strictObject({ practiceId: PracticeId, subscriptionId: ProviderObjectId, cause: Cause }),
  async run(services, { practiceId, subscriptionId, cause }) {
    const fact = await requireProvider(services).look({ practiceId, subscriptionId })
    if (fact) await recordUpdate(services, { practiceId, fact }, cause)
  },
})

/** Twice a day every subscription is looked up: a last message that never came leaves no gap that could be seen. */
export const reconcileSubscriptions = defineJob({
  name: 'look-at-every-subscription',
  data: z.strictObject({}),
  schedule: '17 5,17 * * *',
  async run(services, _, { id, signal }) {
    const provider = findProvider(services)
    // Where nobody takes money there is nobody to ask, and nothing that has failed.
    if (!provider) return
    await forEachActive(services, signal, async ({ practiceId, subscriptionId }) => {
      const fact = await provider.look({ practiceId, subscriptionId })
      if (fact) await recordUpdate(services, { practiceId, fact }, { correlationId: id, causationId: id })
    })
  },
})
