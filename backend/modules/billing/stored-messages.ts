import { subDays } from 'date-fns/subDays'
import type { Pool } from 'pg'
import { decrypt, encrypt, type Key } from '#encryption/cipher.ts'
import type { Services } from '#modules/module.ts'
import type { Message } from './payment-provider.ts'

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

/** Messages contain names and addresses of customers: from here on they are stored encrypted, and `object` is null. */
export const sealedMessagesMigration = {
  id: 'billing-003-sealed-provider-messages',
  sql: `alter table app.provider_messages add column sealed_object bytea, alter column object drop not null;
        create index on app.provider_messages (handled_at) where handled_at is not null;`,
}

/**
 * Records which messages have a job. The others, after a crash, must be found however many messages wait for an operator.
 */
export const enqueuedMessagesMigration = {
  id: 'billing-004-enqueued-provider-messages',
  sql: `alter table app.provider_messages add column enqueued_at timestamptz;
        drop index app.provider_messages_received_at_idx;
        create index on app.provider_messages (received_at) where handled_at is null and enqueued_at is null;`,
}

/** Handled messages are kept for this time, to trace a dispute with the payment provider. */
const retentionDays = 90
const batchSize = 500

/** The subject of the data key of all messages: they arrive before their practice is known. */
const keySubject = 'provider-messages'
const sealContext = (messageId: string) => `provider-message:${messageId}`

type MessageServices = Pick<Services, 'pool' | 'keyStore'>

const loadKey = async ({ keyStore }: MessageServices): Promise<Key> =>
  (await keyStore.getOrCreateMany([keySubject])).get(keySubject) as Key

/** Stores a message, once. `object` is JSON text. */
export async function storeMessage(
  services: MessageServices,
  message: { id: string; type: string; object: string; createdAt: Date; receivedAt: Date },
): Promise<void> {
  const { id, type, object, createdAt, receivedAt } = message
  const sealed = encrypt(await loadKey(services), sealContext(id), object)
  await services.pool.query(
    `insert into app.provider_messages (message_id, type, sealed_object, created_at, received_at)
     values ($1, $2, $3, $4, $5)
     on conflict (message_id) do nothing`,
    [id, type, sealed, createdAt, receivedAt],
  )
}

/** Loads a stored message; null when there is none. Reads those that were stored in clear by an earlier version. */
export async function loadMessage(services: MessageServices, messageId: string): Promise<Message | null> {
  const { rows } = await services.pool.query<{
    type: string
    object: unknown
    sealed_object: Buffer | null
    created_at: Date
  }>('select type, object, sealed_object, created_at from app.provider_messages where message_id = $1', [messageId])
  const [row] = rows
  if (!row) return null
  const { type, object, sealed_object: sealed, created_at: createdAt } = row
  const content = sealed && decrypt(await loadKey(services), sealContext(messageId), sealed)
  if (sealed && !content) throw new Error(`The stored message ${messageId} is damaged`)
  return { type, object: content ? JSON.parse(content.toString('utf8')) : object, createdAt: createdAt.toISOString() }
}

/** Records that a message has a job. */
export async function markEnqueued(pool: Pool, messageId: string, now: Date): Promise<void> {
  await pool.query('update app.provider_messages set enqueued_at = $2 where message_id = $1', [messageId, now])
}

/** Finds the oldest messages without a job that were received before an instant. */
export async function findMessagesWithoutJob(pool: Pool, before: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select message_id as id from app.provider_messages
     where handled_at is null and enqueued_at is null and received_at < $1 order by received_at limit $2`,
    [before, batchSize],
  )
  return rows.map(({ id }) => id)
}

/** Deletes handled messages after 90 days. Those that are not handled stay. */
export async function deleteOldMessages(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.provider_messages where handled_at < $1', [subDays(now, retentionDays)])
}

/** Encrypts the messages that an earlier version stored in clear. */
export async function sealClearMessages(services: MessageServices, signal: AbortSignal): Promise<void> {
  const { pool } = services
  const key = await loadKey(services)
  for (let hasMore = true; hasMore;) {
    signal.throwIfAborted()
    const { rows } = await pool.query<{ id: string; object: object }>(
      'select message_id as id, object from app.provider_messages where object is not null limit $1',
      [batchSize],
    )
    hasMore = rows.length === batchSize
    const sealed = rows.map(({ id, object }) => encrypt(key, sealContext(id), JSON.stringify(object)))
    await pool.query(
      `update app.provider_messages m set sealed_object = s.sealed, object = null
       from unnest($1::text[], $2::bytea[]) as s (id, sealed) where m.message_id = s.id`,
      [rows.map(({ id }) => id), sealed],
    )
  }
}
