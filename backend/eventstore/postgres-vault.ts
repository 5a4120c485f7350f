import type { Pool } from 'pg'
import { fingerprintOf, type Key, keyOf, newKey, seal, unseal } from './cipher.ts'
import { StoreUnavailable } from './event-store.ts'
import { gathered } from './gathered.ts'
import { listen } from './postgres-wake.ts'
import { KeyDestroyed, KeyMissing, type Vault } from './vault.ts'

/** Data keys, each wrapped by the master key. A key that was destroyed leaves its row, so that it is never made again. */
export const vaultMigration = {
  id: 'eventstore-001-data-keys',
  sql: `create table app.data_keys (
          subject      text collate "C" primary key,
          -- Null once the key was destroyed.
          wrapped      bytea,
          -- Fingerprint of the master key that wraps it.
          master       text not null,
          created_at   timestamptz not null default now(),
          destroyed_at timestamptz,
          constraint data_keys_destroyed check ((wrapped is null) = (destroyed_at is not null)));`,
}

/** The name in app.installation of the fingerprint of the one master key that is in use. */
export const masterKeyName = 'master-key'

/** Held, shared, by everyone who works with the keys; alone by the one who exchanges the master key. */
export const vaultLock = 7_274_350

const channel = 'data_keys'
/**
 * Keys are kept in memory: so many of them, some 10 MB, for so many milliseconds. A destroyed key is forgotten at once, and in
 * no case later than that, should the word of it be lost.
 */
const keeping = { most: 20_000, for: 5_000 }

/** The context to which a wrapped data key is bound. */
const contextOf = (subject: string) => `data-key:${subject}`

/** A data key as it is stored. */
export const wrapKey = (master: Key, subject: string, key: Key): Buffer =>
  seal(master, contextOf(subject), key.export())

/** A stored data key, or null when it was not wrapped by this master key. */
export function unwrapKey(master: Key, subject: string, wrapped: Buffer): Key | null {
  const bytes = unseal(master, contextOf(subject), wrapped)
  return bytes && keyOf(bytes)
}

/** The vault in PostgreSQL, wherever the events are. The pool stays its owner's. */
export type PostgresVault = Vault & {
  /** Forgets for ever how to read what belongs to a subject. Answers since when that is so. */
  destroy(subject: string): Promise<Date>
  close(): Promise<void>
}

type KeyRow = { subject: string; wrapped: Buffer | null; master: string }

// Only while the master key is the one that wraps: it cannot be exchanged between this look and the end of the insert.
const insertSql = `
  with own as (select from app.installation where name = '${masterKeyName}' and value = $3 for share)
  insert into app.data_keys (subject, wrapped, master)
  select u.subject, u.wrapped, $3 from own, unnest($1::text[], $2::bytea[]) u(subject, wrapped) order by 1
  on conflict (subject) do nothing returning subject`

const destroySql = `
  insert into app.data_keys (subject, wrapped, master, destroyed_at) values ($1, null, $2, now())
  on conflict (subject) do update
  set wrapped = null, destroyed_at = coalesce(app.data_keys.destroyed_at, excluded.destroyed_at)
  returning destroyed_at`

/** Whether a master key is the one of this database; a database that has none yet takes it. */
export async function holdsMasterKey(pool: Pool, master: Key): Promise<boolean> {
  const print = fingerprintOf(master)
  await pool.query(
    `insert into app.installation (name, value) values ('${masterKeyName}', $1) on conflict (name) do nothing`,
    [print],
  )
  const { rows } = await pool.query<{ value: string }>(
    `select value from app.installation where name = '${masterKeyName}'`,
  )
  return rows[0]?.value === print
}

/** Opens the data keys kept in PostgreSQL, once `vaultMigration` has run. Throws when another master key wraps them. */
export async function postgresVault(pool: Pool, master: Key, limits = keeping): Promise<PostgresVault> {
  if (!(await holdsMasterKey(pool, master))) throw new Error('Another master key wraps the data keys of this database')
  const print = fingerprintOf(master)
  const kept = new Map<string, { key: Key | null; until: number }>()
  /** Counts how often everything was forgotten: what was read before is not kept after. */
  let forgotten = 0

  const forget = () => {
    forgotten++
    kept.clear()
  }
  const stopListening = listen(pool.options.connectionString ?? '', channel, forget, {
    onConnect: `select pg_advisory_lock_shared(${vaultLock})`,
  })

  function keep(subject: string, key: Key | null, since: number): void {
    if (since !== forgotten) return
    kept.delete(subject)
    kept.set(subject, { key, until: Date.now() + limits.for })
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.most) break
      kept.delete(oldest)
    }
  }

  /** Splits subjects into keys at hand and those that have to be asked for. */
  function atHand(subjects: readonly string[]) {
    const keys = new Map<string, Key | null>()
    const now = Date.now()
    const others = subjects.filter((subject) => {
      const found = kept.get(subject)
      if (!found || found.until < now) return true
      keys.set(subject, found.key)
      return false
    })
    return { keys, others }
  }

  async function load(subjects: readonly string[]): Promise<Map<string, Key | null>> {
    const since = forgotten
    const rows = await query<KeyRow>('select subject, wrapped, master from app.data_keys where subject = any($1)', [
      subjects,
    ])
    const keys = new Map<string, Key | null>()
    for (const { subject, wrapped, master: by } of rows) {
      const key = wrapped && unwrapKey(master, subject, wrapped)
      if (wrapped && key === null) throw new StoreUnavailable(foreign(by))
      keys.set(subject, key)
      keep(subject, key, since)
    }
    return keys
  }

  const foreign = (by: string) =>
    by === print
      ? 'A data key is damaged: restore the database from a backup'
      : 'The master key was exchanged while this process was running: start it again with the new one'

  /** Makes keys for those who have none; answers those it made. */
  async function make(subjects: readonly string[]): Promise<Map<string, Key | null>> {
    const since = forgotten
    const keys = new Map<string, Key | null>(subjects.map((subject) => [subject, newKey()]))
    const wrapped = subjects.map((subject) => wrapKey(master, subject, keys.get(subject) as Key))
    const rows = await query<{ subject: string }>(insertSql, [subjects, wrapped, print])
    const made = new Set(rows.map(({ subject }) => subject))
    const there = subjects.filter((subject) => !made.has(subject))
    for (const subject of made) keep(subject, keys.get(subject) ?? null, since)
    const found = there.length > 0 ? await load(there) : new Map<string, Key | null>()
    for (const subject of there) {
      const key = found.get(subject)
      if (key === undefined) throw new StoreUnavailable(foreign(''))
      keys.set(subject, key)
    }
    return keys
  }

  async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await pool.query<Row>(text, values)).rows
    } catch (error) {
      throw new StoreUnavailable('The data keys cannot be reached', { cause: error })
    }
  }

  const loading = gathered(load)
  const making = gathered(make)

  return {
    async keysToSeal(subjects) {
      const { keys, others } = atHand(subjects)
      if (others.length > 0) for (const [subject, key] of await making(others)) keys.set(subject, key)
      return new Map(
        subjects.map((subject) => {
          const key = keys.get(subject)
          if (!key) throw new KeyDestroyed('What belongs to this record was made unreadable for ever')
          return [subject, key]
        }),
      )
    },
    async keysToOpen(subjects) {
      const { keys, others } = atHand(subjects)
      if (others.length > 0) for (const [subject, key] of await loading(others)) keys.set(subject, key)
      const missing = subjects.find((subject) => !keys.has(subject))
      if (missing === undefined) return keys
      throw new KeyMissing(
        `This database has no key for what the event store holds of ${missing}: bring it back from a backup as new as the events`,
      )
    },
    async destroy(subject) {
      const [row] = await query<{ destroyed_at: Date }>(destroySql, [subject, print])
      forget()
      await query(`select pg_notify('${channel}', '')`, [])
      return (row as { destroyed_at: Date }).destroyed_at
    },
    close: stopListening,
  }
}
