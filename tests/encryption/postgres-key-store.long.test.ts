import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateMasterKey } from '#encryption/key-rotation.ts'
import { computeFingerprint, type Key, formatKey, generateKey } from '#encryption/cipher.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { dataKeysMigration } from '#encryption/data-keys.ts'
import { openPostgresKeyStore, type PostgresKeyStore } from '#encryption/postgres-key-store.ts'
import { KeyDestroyed, KeyMissing, type DataKeys } from '#encryption/key-store.ts'
import { openPool } from '#database/pool.ts'
import { migrate } from '#database/migrations.ts'
import { installationMigration } from '#runtime/installation.ts'
import { collectGarbage } from '#tests/support/collect-garbage.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let database: TestDatabase
let pool: Pool
/** Number of queries. */
let queries = 0
const master = generateKey()
const opened: PostgresKeyStore[] = []
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

/** Returns keys as text, which can be compared. */
const textsOf = (subjects: readonly string[], keys: DataKeys) =>
  Object.fromEntries(subjects.map((subject) => [subject, formatKey(keys.get(subject) as Key)]))

/** Opens the key store of one instance; by default it caches keys for an hour. */
async function openKeyStore(limits = { maxKeys: 1_000, ttlMs: 3_600_000 }): Promise<PostgresKeyStore> {
  const keyStore = await openPostgresKeyStore(pool, master, { limits })
  opened.push(keyStore)
  return keyStore
}

/** Waits until keys are cached: the cache is cleared once more when the key store begins to listen. */
const untilCached = (keyStore: PostgresKeyStore, subjects: string[]) =>
  waitUntil(async () => {
    await keyStore.getMany(subjects)
    queries = 0
    await keyStore.getMany(subjects)
    return queries === 0
  })

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 8)
  await migrate(pool, [installationMigration, dataKeysMigration])
  // Every query acquires a connection.
  pool.on('acquire', () => queries++)
})
afterAll(async () => {
  for (const keyStore of opened) await keyStore.close()
  await pool.end()
  await database.drop()
})

it('returns the same key to all instances, also to concurrent calls', async () => {
  const keyStores = await Promise.all([openKeyStore(), openKeyStore(), openKeyStore()])
  const subjects = names(40, 'same')
  const answers = await Promise.all(
    keyStores.flatMap((keyStore) => [
      keyStore.getOrCreateMany(subjects),
      keyStore.getOrCreateMany(subjects.toReversed()),
    ]),
  )
  const [first = {}] = answers.map((answer) => textsOf(subjects, answer))
  for (const answer of answers) expect(textsOf(subjects, answer)).toEqual(first)
  expect(new Set(Object.values(first)).size).toBe(40)
  expect(textsOf(subjects, await (await openKeyStore()).getMany(subjects))).toEqual(first)
})

it('stores no plaintext key', async () => {
  const key = (await (await openKeyStore()).getOrCreateMany(['wrapped'])).get('wrapped') as Key
  const { rows } = await pool.query<{ text: string }>(
    `select k::text as text from app.data_keys k where subject = 'wrapped'`,
  )
  expect(rows[0]?.text).toContain(computeFingerprint(master))
  expect(rows[0]?.text).not.toContain(key.export().toString('hex'))
})

it('sends one query for a page, none for cached keys, and one for concurrent calls', async () => {
  const subjects = names(500, 'page')
  await (await openKeyStore()).getOrCreateMany(subjects)
  const keyStore = await openKeyStore()
  queries = 0
  expect(new Set(Object.values(textsOf(subjects, await keyStore.getMany(subjects)))).size).toBe(500)
  expect(queries).toBe(1)
  await untilCached(keyStore, subjects)
  queries = 0
  await Promise.all(names(50, 'new').map((subject) => keyStore.getOrCreateMany([subject])))
  expect(queries).toBeLessThanOrEqual(3)
})

it('caches no more keys than allowed, and none beyond their time to live', async () => {
  const keyStore = await openKeyStore({ maxKeys: 10, ttlMs: 3_600_000 })
  await untilCached(keyStore, names(10, 'page'))
  await untilCached(keyStore, names(20, 'page').slice(10))
  queries = 0
  await keyStore.getMany(names(10, 'page'))
  expect(queries).toBe(1)
  const uncached = await openKeyStore({ maxKeys: 10, ttlMs: -1 })
  queries = 0
  await uncached.getMany(['page-1'])
  await uncached.getMany(['page-1'])
  expect(queries).toBe(2)
})

it('keeps new and loaded keys without the buffers in which they were encrypted or received', async () => {
  const subjects = names(400, 'small')
  const creator = await openKeyStore()
  const reader = await openKeyStore()
  // Each clears its cache once more when it begins to listen.
  const listening = `select count(*)::int as count from pg_stat_activity where datname = current_database()
    and state = 'idle' and query like '%listen data_keys'`
  await waitUntil(async () => (await pool.query<{ count: number }>(listening)).rows[0]?.count === opened.length)
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  for (const subject of subjects) {
    await creator.getOrCreateMany([subject])
    await reader.getMany([subject])
    // Other small buffers fill up the pool from which Node takes all of them: the next key is in another part of it.
    for (let used = 0; used < Buffer.poolSize; used += 1_000) Buffer.from('x'.repeat(1_000))
  }
  // As slices of the pool, the keys would keep 400 times its size, for ever. Node frees buffers some time after their
  // collection, on another thread.
  await waitUntil(
    () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers - before
    },
    (grown) => grown < 100 * Buffer.poolSize,
  )
  // Both still hold all keys.
  queries = 0
  await Promise.all([creator.getMany(subjects), reader.getMany(subjects)])
  expect(queries).toBe(0)
})

describe('a destroyed key', () => {
  it('is gone for every instance and never created again', async () => {
    const [one, other] = [await openKeyStore(), await openKeyStore()]
    await one.getOrCreateMany(['gone'])
    await other.getMany(['gone'])
    const since = await one.destroy('gone')
    expect((await one.getMany(['gone'])).get('gone')).toBeNull()
    // The key is cached for an hour: only the notification can evict it.
    await waitUntil(async () => (await other.getMany(['gone'])).get('gone') === null)
    for (const keyStore of [one, other, await openKeyStore()])
      await expect(keyStore.getOrCreateMany(['gone'])).rejects.toThrow(KeyDestroyed)
    expect(await other.destroy('gone')).toEqual(since)
    const { rows } = await pool.query(`select wrapped_key from app.data_keys where subject = 'gone'`)
    expect(rows).toEqual([{ wrapped_key: null }])
  })

  it('differs from a key that never existed', async () => {
    const keyStore = await openKeyStore()
    await expect(keyStore.getMany(['never'])).rejects.toThrow(KeyMissing)
    await keyStore.destroy('before')
    await expect(keyStore.getOrCreateMany(['before'])).rejects.toThrow(KeyDestroyed)
  })
})

it('throws StoreUnavailable when the database does not reply', async () => {
  const broken = openPool(database.url, 1)
  const keyStore = await openPostgresKeyStore(broken, master)
  await broken.end()
  await expect(keyStore.getOrCreateMany(['x'])).rejects.toThrow(StoreUnavailable)
  await keyStore.close()
})

describe('a rotation of the master key', () => {
  const next = generateKey()
  const signal = new AbortController().signal
  const all = async () =>
    (await pool.query('select subject, wrapped_key, master_fingerprint from app.data_keys order by subject')).rows

  it('is refused while a process uses the keys', async () => {
    await expect(
      rotateMasterKey(pool, master, async () => next, { signal, onProgress: () => undefined }),
    ).rejects.toThrow(/is running/)
    for (const keyStore of opened.splice(0)) await keyStore.close()
  })

  it('changes nothing when it is interrupted', async () => {
    await pool.query(
      `insert into app.data_keys (subject, wrapped_key, master_fingerprint)
       select 'zz-damaged', decode(repeat('00', 60), 'hex'), master_fingerprint from app.data_keys limit 1`,
    )
    const before = await all()
    let progress = 0
    const broken = rotateMasterKey(pool, master, async () => next, { signal, onProgress: () => progress++ })
    await expect(broken).rejects.toThrow(/zz-damaged is damaged/)
    expect(await all()).toEqual(before)
    await pool.query(`delete from app.data_keys where subject = 'zz-damaged'`)
  })

  it('changes no data key; a process with the old master key neither reads nor writes', async () => {
    const subjects = names(40, 'same')
    const old = await openKeyStore()
    const keys = await old.getMany(subjects)
    // Simulates a lost connection.
    await old.close()
    opened.splice(0)
    const count = await rotateMasterKey(pool, master, async () => next, { signal, onProgress: () => undefined })
    expect(count).toBeGreaterThan(500)
    await expect(old.getMany(['page-1'])).rejects.toThrow(/start it again/)
    await expect(old.getOrCreateMany(['after'])).rejects.toThrow(/start it again/)
    await expect(openPostgresKeyStore(pool, master)).rejects.toThrow(/a different master key/)
    const keyStore = await openPostgresKeyStore(pool, next)
    opened.push(keyStore)
    expect(textsOf(subjects, await keyStore.getMany(subjects))).toEqual(textsOf(subjects, keys))
    expect((await keyStore.getMany(['gone'])).get('gone')).toBeNull()
  })
})
