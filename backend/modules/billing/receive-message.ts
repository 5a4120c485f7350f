import { z } from 'zod'
import { deriveId } from '#eventstore/derive-id.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { type Message, ProviderObjectId, UnreadableMessage } from './payment-provider.ts'
import { findProvider } from './select-provider.ts'
import { billingSettings } from './settings.ts'
import { markEnqueued, storeMessage } from './stored-messages.ts'
import { getStripeSdk } from './stripe/sdk.ts'

/** The job that records the content of a webhook. */
export const handleMessageJob = 'handle-provider-message'

/** The fields common to all webhooks. `created` is in seconds. */
export const Envelope = z.object({
  id: ProviderObjectId,
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.number().int().min(0).max(9_999_999_999),
  data: z.object({ object: z.looseObject({}) }),
})

/** Maximum age of a signature in seconds, against replayed requests, and how far it may be ahead of our clock. */
const toleranceSeconds = 300
/** Maximum nesting of a webhook. Those of Stripe have about ten levels. */
const maxDepth = 100

/**
 * Receives a webhook: verifies its signature, stores it once and enqueues a job for it. `body` must be the raw bytes. Throws
 * 400 `invalid-signature`, and 400 `invalid-message` for a signed message that no provider sends.
 */
export async function receiveMessage(services: Services, body: Buffer, signature: string): Promise<void> {
  const { clock, logger } = services
  const now = clock()
  const { webhookSecret } = billingSettings.read(services)
  const { id, type, created, data } = parseEnvelope(verifyMessage(body, signature, webhookSecret, now))
  const createdAt = new Date(created * 1_000)
  rejectOutOfRange(services, { type, createdAt: createdAt.toISOString(), object: data.object })
  await storeMessage(services, { id, type, object: toStorableJson(data.object), createdAt, receivedAt: now })
  // Not awaited, because the provider times out slow replies. `requeueMessages` covers a crash at this point.
  enqueueMessage(services, id).catch((err: unknown) =>
    logger.warn({ err }, 'provider message left for the requeue job'),
  )
}

/** Enqueues the job of a message. The job id is derived from the message, so that it runs once. */
export async function enqueueMessage(
  { jobs, pool, clock }: Pick<Services, 'jobs' | 'pool' | 'clock'>,
  messageId: string,
): Promise<void> {
  await jobs.send(handleMessageJob, { messageId }, { id: deriveId(`provider message ${messageId}`) })
  await markEnqueued(pool, messageId, clock())
}

/** Replaces characters that PostgreSQL cannot store (NUL, lone surrogates), so that no webhook is rejected for a name. */
const toStorableJson = (object: object) =>
  JSON.stringify(object).replaceAll(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
    found === '\\\\' ? found : '\ufffd',
  )

function verifyMessage(body: Buffer, signature: string, secret: string, now: Date): unknown {
  try {
    // Only its functions for signatures are used: they need no key and send nothing.
    const message = getStripeSdk().webhooks.constructEvent(
      body,
      signature,
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    )
    // Stripe's package refuses old signatures only.
    if (signedAt(signature) <= now.getTime() / 1_000 + toleranceSeconds) return message
  } catch {
    // The reply does not reveal why the verification failed.
  }
  throw new ProblemError(
    400,
    'invalid-signature',
    'This message was not signed by the payment provider, or its signature is too old.',
  )
}

/** Returns the second at which a signature was made, read as Stripe's package reads it: the last `t` counts. */
const signedAt = (signature: string): number => {
  const last = signature.split(',').findLast((part) => part.startsWith('t='))
  return Number(last?.slice(2) ?? Number.NaN)
}

const invalidMessage = () =>
  new ProblemError(400, 'invalid-message', 'This message is signed, but it is not one of the payment provider.')

function parseEnvelope(message: unknown): z.infer<typeof Envelope> {
  // First, because parsers and PostgreSQL fail on deep nesting.
  const parsed = isDeeperThan(message, maxDepth) ? null : Envelope.safeParse(message)
  if (!parsed?.success) throw invalidMessage()
  return parsed.data
}

/** Returns whether a JSON value has more than a number of levels. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1)))

/** Rejects instants that cannot be stored. Whatever else makes a message unreadable is reported by its job. */
function rejectOutOfRange(services: Services, message: Message): void {
  try {
    findProvider(services)?.read(message)
  } catch (error) {
    if (error instanceof UnreadableMessage && error.isOutOfRange) throw invalidMessage()
  }
}

/** Returns the signature header that the provider would send with a payload. */
export const signMessage = (payload: string, secret: string, now: Date): string =>
  getStripeSdk().webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(now.getTime() / 1_000) })
