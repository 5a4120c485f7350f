import type { Pool, QueryConfig } from 'pg'
import { decrypt, encrypt, importKey } from '#encryption/cipher.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Migration } from '#database/migrations.ts'
import { statement } from '#database/prepared.ts'

/** Milliseconds for which the result of a request is kept for a repetition. */
const keptMs = 24 * 3_600_000

/**
 * The requests that were sent with an idempotency key. `id` and `fingerprint` are keyed hashes; `reply` is encrypted with a key
 * that is derived from the idempotency key, which only the client has. `attempt` counts the intents: one that was refused
 * starts again with new ids, one with an unknown outcome continues with the same.
 */
export const idempotencyMigration: Migration = {
  id: 'http-002-idempotency-keys',
  sql: `create table app.idempotency_keys (
          id text collate "C" primary key,
          fingerprint text not null,
          state text not null check (state in ('running', 'interrupted', 'refused', 'done')),
          attempt int not null default 0,
          created_at timestamptz not null,
          running_until timestamptz not null,
          reply bytea);
        create index on app.idempotency_keys (created_at);`,
}

/**
 * A request as its idempotency key identifies it. `scope` names the user, the practice and the endpoint; `content` is all
 * that was sent.
 */
export type KeyedRequest = { scope: string; key: string; content: string }

/** The start of an attempt: what the request may do now. */
export type Started =
  | {
      status: 'started'
      intentId: string
      /** True if an earlier attempt may have written events. */
      isRepetition: boolean
      /** True if the key was never sent before, as far as anything is stored. */
      isFirstAttempt: boolean
    }
  /** The JSON of the first reply. */
  | { status: 'done'; reply: string }
  | { status: 'running' }
  | { status: 'other-content' }

/** `refused`: a repetition is a new attempt. `interrupted`: a repetition continues, because something may have been written. */
export type Ended = 'refused' | 'interrupted'

/** Remembers requests with idempotency keys and their results, for 24 hours. */
export type IdempotencyStore = {
  /** Waits for results of the same request that this store is still saving. */
  start(request: KeyedRequest, runningMs: number): Promise<Started>
  complete(request: KeyedRequest, reply: string): Promise<void>
  end(request: KeyedRequest, ended: Ended): Promise<void>
  /** Returns the id of an intent of which nothing is stored. */
  deriveIntentId(request: KeyedRequest): string
  /** Resolves when all results are saved or have failed. */
  settle(): Promise<void>
}

type Dependencies = { pool: Pool; keyedHash: (purpose: string, value: string) => string; clock: () => Date }
type Row = { fingerprint: string; state: string; reply: Buffer | null }

/** `xmax` is 0 in a row that this statement has inserted, and not in one that it has updated. */
const startSql = `with earlier as (
    select state, attempt from app.idempotency_keys where id = $1 and created_at > $5)
  insert into app.idempotency_keys as k (id, fingerprint, state, created_at, running_until)
  values ($1, $2, 'running', $3, $4)
  on conflict (id) do update set state = 'running', running_until = excluded.running_until,
    fingerprint = excluded.fingerprint, reply = null,
    attempt = k.attempt + case when k.state = 'refused' then 1 else 0 end,
    created_at = case when k.created_at > $5 then k.created_at else excluded.created_at end
  where k.created_at <= $5
    or (k.fingerprint = excluded.fingerprint and (k.state in ('interrupted', 'refused') or
      (k.state = 'running' and k.running_until <= $3)))
  returning attempt, xmax = 0 as "isNew", (select state from earlier) as earlier`

/**
 * Creates the store of idempotency keys. Commits on its pool need not wait for the disk: should PostgreSQL lose the last of
 * them, a repetition is recognized by the ids of its events alone.
 */
export function createIdempotencyStore({ pool, keyedHash, clock }: Dependencies): IdempotencyStore {
  const getId = ({ scope, key }: KeyedRequest) => keyedHash('idempotency key', `${scope}\n${key}`)
  const getFingerprint = ({ content }: KeyedRequest) => keyedHash('idempotent request', content)
  // With the content: another request that reuses an expired key is another intent.
  const getIntentId = (request: KeyedRequest, attempt: number) =>
    deriveId(`intent ${getId(request)}:${getFingerprint(request)}:${attempt}`)
  const getReplyKey = ({ scope, key }: KeyedRequest) =>
    importKey(Buffer.from(keyedHash('idempotent reply', `${scope}\n${key}`), 'hex'))

  /** The results that are being saved, by the id of their request. */
  const unsaved = new Map<string, Promise<unknown>>()

  async function save(id: string, query: QueryConfig): Promise<void> {
    const saving = pool.query(query)
    unsaved.set(id, saving)
    try {
      await saving
    } finally {
      if (unsaved.get(id) === saving) unsaved.delete(id)
    }
  }

  async function find(request: KeyedRequest): Promise<Started | null> {
    const { rows } = await pool.query<Row>(
      statement('select fingerprint, state, reply from app.idempotency_keys where id = $1', [getId(request)]),
    )
    const [row] = rows
    if (!row) return null
    if (row.fingerprint !== getFingerprint(request)) return { status: 'other-content' }
    const reply = row.reply && decrypt(getReplyKey(request), getId(request), row.reply)
    return reply ? { status: 'done', reply: reply.toString('utf8') } : { status: 'running' }
  }

  return {
    async start(request, runningMs) {
      const id = getId(request)
      await unsaved.get(id)?.catch(() => undefined)
      const now = clock()
      const { rows } = await pool.query<{ attempt: number; isNew: boolean; earlier: string | null }>(
        statement(startSql, [
          id,
          getFingerprint(request),
          now,
          new Date(now.getTime() + runningMs),
          new Date(now.getTime() - keptMs),
        ]),
      )
      const [row] = rows
      if (!row) return (await find(request)) ?? { status: 'running' }
      const { attempt, isNew, earlier } = row
      const isRepetition = earlier === 'running' || earlier === 'interrupted'
      return { status: 'started', intentId: getIntentId(request, attempt), isRepetition, isFirstAttempt: isNew }
    },
    async complete(request, reply) {
      const id = getId(request)
      const values = [id, encrypt(getReplyKey(request), id, reply)]
      await save(id, statement(`update app.idempotency_keys set state = 'done', reply = $2 where id = $1`, values))
    },
    async end(request, ended) {
      const id = getId(request)
      const values = [id, ended, clock()]
      await save(id, statement('update app.idempotency_keys set state = $2, running_until = $3 where id = $1', values))
    },
    deriveIntentId: (request) => getIntentId(request, 0),
    async settle() {
      await Promise.allSettled(unsaved.values())
    },
  }
}

/** Deletes the results that are no longer kept. */
export async function deleteExpiredIdempotencyKeys(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.idempotency_keys where created_at <= $1', [new Date(now.getTime() - keptMs)])
}
