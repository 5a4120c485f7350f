import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateMasterKey } from '#encryption/key-rotation.ts'
import { computeFingerprint, type Key, formatKey, generateKey } from '#encryption/cipher.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { openPostgresKeyStore, type PostgresKeyStore, dataKeysMigration } from '#encryption/postgres-key-store.ts'
import { KeyDestroyed, KeyMissing, type DataKeys } from '#encryption/key-store.ts'
import { openPool } from '#database/pool.ts'
import { migrate } from '#database/migrations.ts'
import { installationMigration } from '#runtime/secrets.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/until.ts'

let database: TestDatabase
let pool: Pool
/** How many questions were asked. */
let asked = 0
const master = generateKey()
const opened: PostgresKeyStore[] = []
const names = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of}-${index}`)

/** Keys as text, which can be compared. */
const textsOf = (subjects: readonly string[], keys: DataKeys) =>
  Object.fromEntries(subjects.map((subject) => [subject, formatKey(keys.get(subject) as Key)]))

/** A copy of the app, which keeps keys for an hour unless it is told otherwise. */
async function copy(limits = { maxKeys: 1_000, ttlMs: 3_600_000 }): Promise<PostgresKeyStore> {
  const vault = await openPostgresKeyStore(pool, master, limits)
  opened.push(vault)
  return vault
}

/** What was kept is forgotten once more when the vault begins to listen. */
const untilKept = (vault: PostgresKeyStore, subjects: string[]) =>
  waitUntil(async () => {
    await vault.getMany(subjects)
    asked = 0
    await vault.getMany(subjects)
    return asked === 0
  })

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, 8)
  await migrate(pool, [installationMigration, dataKeysMigration])
  // Every question is put over a connection that is lent for it.
  pool.on('acquire', () => asked++)
})
afterAll(async () => {
  for (const vault of opened) await vault.close()
  await pool.end()
  await database.drop()
})

it('gives everybody the same key, also those who ask at the same moment', async () => {
  const copies = await Promise.all([copy(), copy(), copy()])
  const subjects = names(40, 'same')
  const answers = await Promise.all(
    copies.flatMap((vault) => [vault.getOrCreateMany(subjects), vault.getOrCreateMany(subjects.toReversed())]),
  )
  const [first = {}] = answers.map((answer) => textsOf(subjects, answer))
  for (const answer of answers) expect(textsOf(subjects, answer)).toEqual(first)
  expect(new Set(Object.values(first)).size).toBe(40)
  expect(textsOf(subjects, await (await copy()).getMany(subjects))).toEqual(first)
})

it('keeps no key as it is', async () => {
  const key = (await (await copy()).getOrCreateMany(['wrapped'])).get('wrapped') as Key
  const { rows } = await pool.query<{ text: string }>(
    `select k::text as text from app.data_keys k where subject = 'wrapped'`,
  )
  expect(rows[0]?.text).toContain(computeFingerprint(master))
  expect(rows[0]?.text).not.toContain(key.export().toString('hex'))
})

it('asks once for a page, not at all for what it knows, and once for all who wait', async () => {
  const subjects = names(500, 'page')
  await (await copy()).getOrCreateMany(subjects)
  const vault = await copy()
  asked = 0
  expect(new Set(Object.values(textsOf(subjects, await vault.getMany(subjects)))).size).toBe(500)
  expect(asked).toBe(1)
  await untilKept(vault, subjects)
  asked = 0
  await Promise.all(names(50, 'new').map((subject) => vault.getOrCreateMany([subject])))
  expect(asked).toBeLessThanOrEqual(3)
})

it('keeps no more keys in memory than it may, and none for longer', async () => {
  const vault = await copy({ maxKeys: 10, ttlMs: 3_600_000 })
  await untilKept(vault, names(10, 'page'))
  await untilKept(vault, names(20, 'page').slice(10))
  asked = 0
  await vault.getMany(names(10, 'page'))
  expect(asked).toBe(1)
  const forgetful = await copy({ maxKeys: 10, ttlMs: -1 })
  asked = 0
  await forgetful.getMany(['page-1'])
  await forgetful.getMany(['page-1'])
  expect(asked).toBe(2)
})

describe('a destroyed key', () => {
  it('is gone for every copy of the app, and never comes back', async () => {
    const [one, other] = [await copy(), await copy()]
    await one.getOrCreateMany(['gone'])
    await other.getMany(['gone'])
    const since = await one.destroy('gone')
    expect((await one.getMany(['gone'])).get('gone')).toBeNull()
    // It kept the key for an hour: only the word of it can make it forget.
    await waitUntil(async () => (await other.getMany(['gone'])).get('gone') === null)
    for (const vault of [one, other, await copy()])
      await expect(vault.getOrCreateMany(['gone'])).rejects.toThrow(KeyDestroyed)
    expect(await other.destroy('gone')).toEqual(since)
    const { rows } = await pool.query(`select wrapped from app.data_keys where subject = 'gone'`)
    expect(rows).toEqual([{ wrapped: null }])
  })

  it('is none that was never there', async () => {
    const vault = await copy()
    await expect(vault.getMany(['never'])).rejects.toThrow(KeyMissing)
    await vault.destroy('before')
    await expect(vault.getOrCreateMany(['before'])).rejects.toThrow(KeyDestroyed)
  })
})

it('is told from one whose database does not answer', async () => {
  const broken = openPool(database.url, 1)
  const vault = await openPostgresKeyStore(broken, master)
  await broken.end()
  await expect(vault.getOrCreateMany(['x'])).rejects.toThrow(StoreUnavailable)
  await vault.close()
})

describe('an exchange of the master key', () => {
  const next = generateKey()
  const signal = new AbortController().signal
  const all = async () => (await pool.query('select subject, wrapped, master from app.data_keys order by subject')).rows

  it('waits for nobody: it is refused while somebody works with the keys', async () => {
    await expect(
      rotateMasterKey(pool, master, async () => next, { signal, onProgress: () => undefined }),
    ).rejects.toThrow(/is running/)
    for (const vault of opened.splice(0)) await vault.close()
  })

  it('that ends in the middle has changed nothing', async () => {
    await pool.query(
      `insert into app.data_keys (subject, wrapped, master) select 'zz-damaged', decode(repeat('00', 60), 'hex'), master from app.data_keys limit 1`,
    )
    const before = await all()
    let progress = 0
    const broken = rotateMasterKey(pool, master, async () => next, { signal, onProgress: () => progress++ })
    await expect(broken).rejects.toThrow(/zz-damaged is damaged/)
    expect(await all()).toEqual(before)
    await pool.query(`delete from app.data_keys where subject = 'zz-damaged'`)
  })

  it('changes no key; who still has the old one neither reads nor writes with it', async () => {
    const subjects = names(40, 'same')
    const old = await copy()
    const keys = await old.getMany(subjects)
    // As if its connection had been lost for a moment.
    await old.close()
    opened.splice(0)
    const count = await rotateMasterKey(pool, master, async () => next, { signal, onProgress: () => undefined })
    expect(count).toBeGreaterThan(500)
    await expect(old.getMany(['page-1'])).rejects.toThrow(/start it again/)
    await expect(old.getOrCreateMany(['after'])).rejects.toThrow(/start it again/)
    await expect(openPostgresKeyStore(pool, master)).rejects.toThrow(/Another master key/)
    const vault = await openPostgresKeyStore(pool, next)
    opened.push(vault)
    expect(textsOf(subjects, await vault.getMany(subjects))).toEqual(textsOf(subjects, keys))
    expect((await vault.getMany(['gone'])).get('gone')).toBeNull()
  })
})
