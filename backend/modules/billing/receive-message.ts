import { Stripe } from 'stripe'
import { z } from 'zod'
import { deriveId } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { ProviderObjectId } from './payment-provider.ts'

/** The job that takes in what a message says. */
export const handleMessageJob = 'handle-provider-message'

/** Messages of the payment provider as they came, one row each, whatever they are about. */
export const messagesMigration = {
  id: 'billing-001-provider-messages',
  sql: `create table app.provider_messages (
          message_id text primary key,
          type text not null,
          object jsonb not null,
          created_at timestamptz not null,
          received_at timestamptz not null,
          handled_at timestamptz);
        create index on app.provider_messages (received_at) where handled_at is null;`,
}

/** What every message has. `created` is in seconds. */
export const Envelope = z.object({
  id: ProviderObjectId,
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.number().int().min(0).max(9_999_999_999),
  data: z.object({ object: z.looseObject({}) }),
})

/** How old a signature may be, in seconds: one that was overheard is worth nothing later. */
const tolerance = 300
// Only its signatures are used here: no key is needed, and nothing is ever sent.
const { webhooks } = Stripe

type Parts = Pick<Services, 'pool' | 'jobs' | 'clock' | 'billing' | 'logger'>

/**
 * Takes a message in: checks that the provider sent it and not long ago, keeps it once, and leaves it to a job. Throws 400
 * `invalid-signature`. The bytes must be those that arrived.
 */
export async function receiveMessage({ pool, jobs, clock, billing, logger }: Parts, body: Buffer, signature: string) {
  const now = clock()
  const { id, type, created, data } = verified(body, signature, billing.webhookSecret, now)
  await pool.query(
    `insert into app.provider_messages (message_id, type, object, created_at, received_at)
     values ($1, $2, $3, $4, $5)
     on conflict (message_id) do nothing`,
    [id, type, storableJson(data.object), new Date(created * 1_000), now],
  )
  // Not waited for: the provider gives up on those who take long. Whoever ends here is made up for by `handleLeftMessages`.
  enqueueMessage(jobs, id).catch((err: unknown) =>
    logger.warn({ err }, 'a message of the payment provider is left for later'),
  )
}

/** Leaves a message to its job; one that was left to it before is not handled twice. */
export const enqueueMessage = (jobs: Services['jobs'], messageId: string): Promise<void> =>
  jobs.send(handleMessageJob, { messageId }, { id: deriveId(`provider message ${messageId}`) })

/** Characters that PostgreSQL cannot keep become marks: a message is not sent back for what somebody is called. */
const storableJson = (object: object) =>
  JSON.stringify(object).replaceAll(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\ufffd',
  )

function verified(body: Buffer, signature: string, secret: string, now: Date) {
  try {
    const message = webhooks.constructEvent(body, signature, secret, tolerance, undefined, now.getTime())
    const parsed = Envelope.safeParse(message)
    if (parsed.success) return parsed.data
  } catch {
    // Which of the many ways it is wrong in is nobody's business.
  }
  throw new ProblemError(400, 'invalid-signature', 'This message was not signed by the payment provider, or long ago.')
}

/** Signs a message as the provider does. */
export const signed = (payload: string, secret: string, now: Date): string =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(now.getTime() / 1_000) })
