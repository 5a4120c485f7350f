import type { Pool, QueryResultRow } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { batched } from '#database/batched.ts'
import { listenForNotifications } from '#database/listen-notify.ts'
import { statement } from '#database/prepared.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import { NothingWritten, StoreUnavailable } from '#eventstore/event-store.ts'
import { computeFingerprint, generateKey, type Key } from './cipher.ts'
import {
  type DataKeyRow,
  destroyKeySql,
  ensureMasterKey,
  insertKeysSql,
  loadKeysSql,
  unwrapKey,
  wrapKey,
} from './data-keys.ts'
import { type CachedKey, type CachedKeys, type CacheLimits, createCachedKey, createKeyCache } from './key-cache.ts'
import { type ErasableKeyStore, KeyDestroyed, KeyMissing } from './key-store.ts'

const channel = 'data_keys'

/**
 * Limits of the key cache; 20,000 keys take about 10 MB. A destroyed key is evicted at once by a notification, and after
 * the time to live should the notification be lost.
 */
const defaultCacheLimits: CacheLimits = { maxKeys: 20_000, ttlMs: 5_000 }

/** The key store in PostgreSQL, wherever the events are. The pool belongs to the caller. */
export type PostgresKeyStore = ErasableKeyStore & { close(): Promise<void> }

type Options = {
  limits?: CacheLimits
  /** The events are committed to the same database: a new key reaches the disk with the events that it encrypts, at no cost of its own. */
  precedesEvents?: boolean
}

/** Opens the key store, once `dataKeysMigration` has run. Throws when another master key wraps the data keys. */
export async function openPostgresKeyStore(
  pool: Pool,
  master: Key,
  { limits = defaultCacheLimits, precedesEvents = false }: Options = {},
): Promise<PostgresKeyStore> {
  if (!(await ensureMasterKey(pool, master)))
    throw new Error('The data keys of this database are encrypted with a different master key')
  const cache = createKeyCache(limits)
  const table = createKeyTable(pool, master, insertKeysSql({ precedesEvents }))
  const stopListening = listenForNotifications(pool.options.connectionString ?? '', channel, cache.clear, {
    onConnect: `select pg_advisory_lock_shared(${advisoryLocks.keyStore})`,
  })

  /** Wraps a query so that its calls are batched and its results are cached. */
  function cached(query: (subjects: readonly string[]) => Promise<CachedKeys>) {
    const queryBatch = batched(async (subjects) => {
      const since = cache.getGeneration()
      const keys = await query(subjects)
      cache.add(keys, since)
      return keys
    })
    return async (subjects: readonly string[]): Promise<CachedKeys> => {
      const { found, missing } = cache.find(subjects)
      if (missing.length === 0) return found
      const loaded = await queryBatch(missing)
      for (const subject of missing) {
        const key = loaded.get(subject)
        if (key !== undefined) found.set(subject, key)
      }
      return found
    }
  }

  const load = cached(table.load)
  const loadOrCreate = cached(table.loadOrCreate)

  return {
    async getOrCreateMany(subjects) {
      const keys = await loadOrCreate(subjects)
      return new Map(
        subjects.map((subject) => {
          const key = keys.get(subject)
          if (!key) throw new KeyDestroyed('The data key of this record was destroyed')
          return [subject, unwrapCached(master, subject, key)]
        }),
      )
    },
    async getMany(subjects) {
      const keys = await load(subjects)
      const missing = subjects.find((subject) => !keys.has(subject))
      if (missing !== undefined)
        throw new KeyMissing(
          `This database has no key for the events of ${missing}: restore it from a backup as recent as the events`,
        )
      return {
        get(subject) {
          const key = keys.get(subject)
          return key ? unwrapCached(master, subject, key) : key
        },
      }
    },
    getGeneration: cache.getGeneration,
    async destroy(subject) {
      const destroyedAt = await table.destroy(subject)
      cache.clear()
      await table.notify()
      return destroyedAt
    },
    close: stopListening,
  }
}

/** Unwraps a key on first use. */
function unwrapCached(master: Key, subject: string, cached: NonNullable<CachedKey>): Key {
  const key = cached.key ?? unwrapKey(master, subject, cached.wrapped)
  if (!key) throw new KeyMissing(`The data key of ${subject} is damaged: restore the database from a backup`)
  cached.key = key
  return key
}

/** Creates the queries of app.data_keys for one master key. They throw StoreUnavailable. */
function createKeyTable(pool: Pool, master: Key, insertSql: string) {
  const fingerprint = computeFingerprint(master)

  async function load(subjects: readonly string[]): Promise<CachedKeys> {
    const query = { ...statement(loadKeysSql, [subjects, fingerprint]), rowMode: 'array' as const }
    const { rows } = await orUnavailable(queryWithTimeout<DataKeyRow>(pool, query))
    const keys = new Map<string, CachedKey>()
    for (const [subject, wrapped, isOwn] of rows) {
      if (wrapped && !isOwn) throw createRotatedError()
      keys.set(subject, wrapped && createCachedKey(wrapped))
    }
    return keys
  }

  async function loadOrCreate(subjects: readonly string[]): Promise<CachedKeys> {
    const candidates = new Map(
      subjects.map((subject) => {
        const key = generateKey()
        return [subject, createCachedKey(wrapKey(master, subject, key), key)]
      }),
    )
    const wrapped = [...candidates.values()].map((candidate) => candidate.wrapped)
    const inserted = await query<{ subject: string }>(insertSql, [[...candidates.keys()], wrapped, fingerprint])
    const created = new Map(
      inserted.map(({ subject }): [string, CachedKey] => [subject, candidates.get(subject) ?? null]),
    )
    const existing = subjects.filter((subject) => !created.has(subject))
    if (existing.length === 0) return created
    const loaded = await load(existing)
    // Nothing was inserted and nothing exists: a different master key is in use.
    if (loaded.size < existing.length) throw createRotatedError()
    return new Map([...created, ...loaded])
  }

  async function query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    return (await orUnavailable(queryWithTimeout<Row>(pool, statement(text, values)))).rows
  }

  return {
    load,
    loadOrCreate,
    async destroy(subject: string): Promise<Date> {
      const [row] = await query<{ destroyed_at: Date }>(destroyKeySql, [subject, fingerprint])
      if (!row) throw new StoreUnavailable('The data key was not destroyed')
      return row.destroyed_at
    },
    notify: () => query(`select pg_notify('${channel}', '')`, []),
  }
}

async function orUnavailable<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query
  } catch (error) {
    // A key alone changes nothing that a user sees, and events are appended after it.
    throw new NothingWritten('The data keys cannot be reached', { cause: error })
  }
}

const createRotatedError = () =>
  new StoreUnavailable('The master key was rotated while this process was running: start it again with the new one')
