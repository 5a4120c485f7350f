import type { Pool } from 'pg'
import { computeFingerprint, type Key, importKey, generateKey, encrypt, decrypt } from './cipher.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { batched } from '#database/batched.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import { listenForNotifications } from '#database/listen-notify.ts'
import { KeyDestroyed, KeyMissing, type KeyStore } from './key-store.ts'

/** Data keys, each wrapped by the master key. A key that was destroyed leaves its row, so that it is never made again. */
export const dataKeysMigration = {
  id: 'eventstore-001-data-keys',
  sql: `create table app.data_keys (
          subject      text collate "C" primary key,
          -- Null once the key was destroyed.
          wrapped      bytea,
          -- Fingerprint of the master key that wraps it.
          master       text not null,
          created_at   timestamptz not null default now(),
          destroyed_at timestamptz,
          constraint data_keys_destroyed check ((wrapped is null) = (destroyed_at is not null)),
          constraint data_keys_wrapped check (octet_length(wrapped) = 60));`,
}

/** The name in app.installation of the fingerprint of the one master key that is in use. */
export const masterKeyName = 'master-key'

const channel = 'data_keys'
/**
 * Keys are kept in memory: so many of them, some 10 MB, for so many milliseconds. A destroyed key is forgotten at once, and in
 * no case later than that, should the word of it be lost.
 */
const defaultCacheLimits = { maxKeys: 20_000, ttlMs: 5_000 }

/** The context to which a wrapped data key is bound. */
const keyContext = (subject: string) => `data-key:${subject}`

/** A data key as it is stored. */
export const wrapKey = (master: Key, subject: string, key: Key): Buffer =>
  encrypt(master, keyContext(subject), key.export())

/** A stored data key, or null when it was not wrapped by this master key. */
export function unwrapKey(master: Key, subject: string, wrapped: Buffer): Key | null {
  const bytes = decrypt(master, keyContext(subject), wrapped)
  return bytes && importKey(bytes)
}

/** The vault in PostgreSQL, wherever the events are. The pool stays its owner's. */
export type PostgresKeyStore = KeyStore & {
  /** Forgets for ever how to read what belongs to a subject. Answers since when that is so. */
  destroy(subject: string): Promise<Date>
  close(): Promise<void>
}

/** Bytes of a wrapped key. */
const wrappedKeyBytes = 60
const newline = `E'\\n'`

// Many keys come and go as one text and one byte string: a driver spends longer on a row than on its key.
const loadSql = `
  select string_agg(subject, ${newline} order by subject) filter (where wrapped is not null) as subjects,
         string_agg(wrapped, ''::bytea order by subject) as wrapped,
         string_agg(subject, ${newline}) filter (where wrapped is null) as destroyed,
         bool_and(master = $2) filter (where wrapped is not null) as own
  from app.data_keys where subject = any(string_to_array($1, ${newline}))`

// Only while the master key is the one that wraps: it cannot be exchanged between this look and the end of the insert.
const insertSql = `
  with own as (select from app.installation where name = '${masterKeyName}' and value = $3 for share),
  made as (
    insert into app.data_keys (subject, wrapped, master)
    select s, substring($2::bytea from 1 + ${wrappedKeyBytes} * (n::int - 1) for ${wrappedKeyBytes}), $3
    from own, unnest(string_to_array($1, ${newline})) with ordinality u(s, n) order by 1
    on conflict (subject) do nothing returning subject)
  select string_agg(subject, ${newline}) as subjects from made`

const destroySql = `
  insert into app.data_keys (subject, wrapped, master, destroyed_at) values ($1, null, $2, now())
  on conflict (subject) do update
  set wrapped = null, destroyed_at = coalesce(app.data_keys.destroyed_at, excluded.destroyed_at)
  returning destroyed_at`

/** Whether a master key is the one of this database; a database that has none yet takes it. */
export async function ensureMasterKey(pool: Pool, master: Key): Promise<boolean> {
  const print = computeFingerprint(master)
  await pool.query(
    `insert into app.installation (name, value) values ('${masterKeyName}', $1) on conflict (name) do nothing`,
    [print],
  )
  const { rows } = await pool.query<{ value: string }>(
    `select value from app.installation where name = '${masterKeyName}'`,
  )
  return rows[0]?.value === print
}

/** A key as it came, unwrapped when it is needed; null when it was destroyed. */
type CachedKey = { wrapped: Buffer; key?: Key } | null

const splitLines = (text: string | null) => text?.split('\n') ?? []

/** Opens the data keys kept in PostgreSQL, once `vaultMigration` has run. Throws when another master key wraps them. */
export async function openPostgresKeyStore(
  pool: Pool,
  master: Key,
  limits = defaultCacheLimits,
): Promise<PostgresKeyStore> {
  if (!(await ensureMasterKey(pool, master))) throw new Error('Another master key wraps the data keys of this database')
  const print = computeFingerprint(master)
  const kept = new Map<string, { held: CachedKey; until: number }>()
  /** Counts how often everything was forgotten: what was read before is not kept after. */
  let forgotten = 0

  const forget = () => {
    forgotten++
    kept.clear()
  }
  const stopListening = listenForNotifications(pool.options.connectionString ?? '', channel, forget, {
    onConnect: `select pg_advisory_lock_shared(${advisoryLocks.keyStore})`,
  })

  function keep(found: ReadonlyMap<string, CachedKey>, since: number): void {
    if (since !== forgotten) return
    const until = Date.now() + limits.ttlMs
    for (const [subject, held] of found) {
      kept.delete(subject)
      kept.set(subject, { held, until })
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.maxKeys) break
      kept.delete(oldest)
    }
  }

  /** Asks for the keys that are not at hand. */
  async function held(subjects: readonly string[], ask: typeof load): Promise<ReadonlyMap<string, CachedKey>> {
    const found = new Map<string, CachedKey>()
    const now = Date.now()
    const others = subjects.filter((subject) => {
      const known = kept.get(subject)
      if (!known || known.until < now) return true
      found.set(subject, known.held)
      return false
    })
    if (others.length === 0) return found
    for (const [subject, key] of await ask(others)) found.set(subject, key)
    return found
  }

  async function load(subjects: readonly string[]): Promise<ReadonlyMap<string, CachedKey>> {
    const since = forgotten
    type Found = { subjects: string | null; wrapped: Buffer | null; destroyed: string | null; own: boolean | null }
    const found = await query<Found>(loadSql, [subjects.join('\n'), print])
    if (found.own === false) throw exchanged()
    const keys = new Map<string, CachedKey>()
    splitLines(found.subjects).forEach((subject, index) => {
      const start = index * wrappedKeyBytes
      keys.set(subject, { wrapped: (found.wrapped as Buffer).subarray(start, start + wrappedKeyBytes) })
    })
    for (const subject of splitLines(found.destroyed)) keys.set(subject, null)
    keep(keys, since)
    return keys
  }

  /** Makes keys for those who have none. */
  async function make(subjects: readonly string[]): Promise<ReadonlyMap<string, CachedKey>> {
    const since = forgotten
    const offered = new Map<string, { wrapped: Buffer; key: Key }>()
    for (const subject of subjects) {
      const key = generateKey()
      offered.set(subject, { wrapped: wrapKey(master, subject, key), key })
    }
    const bytes = Buffer.concat([...offered.values()].map(({ wrapped }) => wrapped))
    const { subjects: text } = await query<{ subjects: string | null }>(insertSql, [subjects.join('\n'), bytes, print])
    const made = new Map(
      splitLines(text).map((subject): [string, CachedKey] => [subject, offered.get(subject) ?? null]),
    )
    keep(made, since)
    const there = subjects.filter((subject) => !made.has(subject))
    const found = there.length > 0 ? await load(there) : new Map<string, CachedKey>()
    if (found.size < there.length) throw exchanged()
    return new Map([...made, ...found])
  }

  const exchanged = () =>
    new StoreUnavailable('The master key was exchanged while this process was running: start it again with the new one')

  function unwrapped(subject: string, one: NonNullable<CachedKey>): Key {
    const key = one.key ?? unwrapKey(master, subject, one.wrapped)
    if (!key) throw new KeyMissing(`The data key of ${subject} is damaged: restore the database from a backup`)
    one.key = key
    return key
  }

  async function query<Row extends object>(text: string, values: unknown[]): Promise<Row> {
    try {
      return (await queryWithTimeout<Row>(pool, { text, values })).rows[0] as Row
    } catch (error) {
      throw new StoreUnavailable('The data keys cannot be reached', { cause: error })
    }
  }

  const loading = batched(load)
  const making = batched(make)

  return {
    async getOrCreateMany(subjects) {
      const keys = await held(subjects, making)
      return new Map(
        subjects.map((subject) => {
          const key = keys.get(subject)
          if (!key) throw new KeyDestroyed('What belongs to this record was made unreadable for ever')
          return [subject, unwrapped(subject, key)]
        }),
      )
    },
    async getMany(subjects) {
      const keys = await held(subjects, loading)
      const missing = subjects.find((subject) => !keys.has(subject))
      if (missing !== undefined)
        throw new KeyMissing(
          `This database has no key for what the event store holds of ${missing}: bring it back from a backup as new as the events`,
        )
      return {
        get(subject) {
          const key = keys.get(subject)
          return key ? unwrapped(subject, key) : key
        },
      }
    },
    async destroy(subject) {
      const row = await query<{ destroyed_at: Date }>(destroySql, [subject, print])
      forget()
      await query(`select pg_notify('${channel}', '')`, [])
      return row.destroyed_at
    },
    close: stopListening,
  }
}
