import { Stripe } from 'stripe'
import { z } from 'zod'
import { deriveId } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { ProviderObjectId } from './payment-provider.ts'
import { billingSettings } from './settings.ts'

/** The job that records the content of a webhook. */
export const handleMessageJob = 'handle-provider-message'

/** The payment provider's webhooks as received, one row each, whatever their subject. */
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

/** The fields common to all webhooks. `created` is in seconds. */
export const Envelope = z.object({
  id: ProviderObjectId,
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.number().int().min(0).max(9_999_999_999),
  data: z.object({ object: z.looseObject({}) }),
})

/** Maximum age of a signature in seconds, against replayed requests. */
const toleranceSeconds = 300
// Only the signature functions are used: they need no key and send nothing.
const { webhooks } = Stripe

/**
 * Receives a webhook: verifies its signature, stores it once and enqueues a job for it. `body` must be the raw bytes. Throws
 * 400 `invalid-signature`.
 */
export async function receiveMessage(
  services: Pick<Services, 'pool' | 'jobs' | 'clock' | 'settings' | 'logger'>,
  body: Buffer,
  signature: string,
): Promise<void> {
  const { pool, jobs, clock, logger } = services
  const now = clock()
  const { webhookSecret } = billingSettings.read(services)
  const { id, type, created, data } = verifyMessage(body, signature, webhookSecret, now)
  await pool.query(
    `insert into app.provider_messages (message_id, type, object, created_at, received_at)
     values ($1, $2, $3, $4, $5)
     on conflict (message_id) do nothing`,
    [id, type, toStorableJson(data.object), new Date(created * 1_000), now],
  )
  // Not awaited, because the provider times out slow replies. `requeueMessages` covers a crash at this point.
  enqueueMessage(jobs, id).catch((err: unknown) => logger.warn({ err }, 'provider message left for the requeue job'))
}

/** Enqueues the job of a message. The job id is derived from the message, so that it runs once. */
export const enqueueMessage = (jobs: Services['jobs'], messageId: string): Promise<void> =>
  jobs.send(handleMessageJob, { messageId }, { id: deriveId(`provider message ${messageId}`) })

/** Replaces characters that PostgreSQL cannot store (NUL, lone surrogates), so that no webhook is rejected for a name. */
const toStorableJson = (object: object) =>
  JSON.stringify(object).replaceAll(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\ufffd',
  )

function verifyMessage(body: Buffer, signature: string, secret: string, now: Date) {
  try {
    const message = webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now.getTime())
    const parsed = Envelope.safeParse(message)
    if (parsed.success) return parsed.data
  } catch {
    // The reply does not reveal why the verification failed.
  }
  throw new ProblemError(
    400,
    'invalid-signature',
    'This message was not signed by the payment provider, or its signature is too old.',
  )
}

/** Returns the signature header that the provider would send with a payload. */
export const signMessage = (payload: string, secret: string, now: Date): string =>
  webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(now.getTime() / 1_000) })
