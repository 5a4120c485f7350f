import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeMasterKey } from '#backend/key-rotation.ts'
import { fingerprintOf, type Key, keyText, newKey } from '#eventstore/cipher.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { postgresVault, type PostgresVault, vaultMigration } from '#eventstore/postgres-vault.ts'
import { KeyDestroyed, KeyMissing, type Keys } from '#eventstore/vault.ts'
import { openPool } from '#projections/database.ts'
import { migrate } from '#projections/migrations.ts'
import { installationMigration } from '#runtime/secrets.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { until } from '#tests/support/until.ts'

let database: TestDatabase
let pool: Pool
/** How many questions were asked. */
let asked = 0
const master = newKey()
const opened: PostgresVault[] = []
const names = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of}-${index}`)

/** Keys as text, which can be compared. */
const textsOf = (subjects: readonly string[], keys: Keys) =>
  Object.fromEntries(subjects.map((subject) => [subject, keyText(keys.get(subject) as Key)]))

/** A copy of the app, which keeps keys for an hour unless it is told otherwise. */
async function copy(limits = { most: 1_000, for: 3_600_000 }): Promise<PostgresVault> {
  const vault = await postgresVault(pool, master, limits)
  opened.push(vault)
  return vault
}

/** What was kept is forgotten once more when the vault begins to listen. */
const untilKept = (vault: PostgresVault, subjects: string[]) =>
  until(async () => {
    await vault.keysToOpen(subjects)
    asked = 0
    await vault.keysToOpen(subjects)
    return asked === 0
  })

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, 8)
  await migrate(pool, [installationMigration, vaultMigration])
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
    copies.flatMap((vault) => [vault.keysToSeal(subjects), vault.keysToSeal(subjects.toReversed())]),
  )
  const [first = {}] = answers.map((answer) => textsOf(subjects, answer))
  for (const answer of answers) expect(textsOf(subjects, answer)).toEqual(first)
  expect(new Set(Object.values(first)).size).toBe(40)
  expect(textsOf(subjects, await (await copy()).keysToOpen(subjects))).toEqual(first)
})

it('keeps no key as it is', async () => {
  const key = (await (await copy()).keysToSeal(['wrapped'])).get('wrapped') as Key
  const { rows } = await pool.query<{ text: string }>(
    `select k::text as text from app.data_keys k where subject = 'wrapped'`,
  )
  expect(rows[0]?.text).toContain(fingerprintOf(master))
  expect(rows[0]?.text).not.toContain(key.export().toString('hex'))
})

it('asks once for a page, not at all for what it knows, and once for all who wait', async () => {
  const subjects = names(500, 'page')
  await (await copy()).keysToSeal(subjects)
  const vault = await copy()
  asked = 0
  expect(new Set(Object.values(textsOf(subjects, await vault.keysToOpen(subjects)))).size).toBe(500)
  expect(asked).toBe(1)
  await untilKept(vault, subjects)
  asked = 0
  await Promise.all(names(50, 'new').map((subject) => vault.keysToSeal([subject])))
  expect(asked).toBeLessThanOrEqual(3)
})

it('keeps no more keys in memory than it may, and none for longer', async () => {
  const vault = await copy({ most: 10, for: 3_600_000 })
  await untilKept(vault, names(10, 'page'))
  await untilKept(vault, names(20, 'page').slice(10))
  asked = 0
  await vault.keysToOpen(names(10, 'page'))
  expect(asked).toBe(1)
  const forgetful = await copy({ most: 10, for: -1 })
  asked = 0
  await forgetful.keysToOpen(['page-1'])
  await forgetful.keysToOpen(['page-1'])
  expect(asked).toBe(2)
})

describe('a destroyed key', () => {
  it('is gone for every copy of the app, and never comes back', async () => {
    const [one, other] = [await copy(), await copy()]
    await one.keysToSeal(['gone'])
    await other.keysToOpen(['gone'])
    const since = await one.destroy('gone')
    expect((await one.keysToOpen(['gone'])).get('gone')).toBeNull()
    // It kept the key for an hour: only the word of it can make it forget.
    await until(async () => (await other.keysToOpen(['gone'])).get('gone') === null)
    for (const vault of [one, other, await copy()])
      await expect(vault.keysToSeal(['gone'])).rejects.toThrow(KeyDestroyed)
    expect(await other.destroy('gone')).toEqual(since)
    const { rows } = await pool.query(`select wrapped from app.data_keys where subject = 'gone'`)
    expect(rows).toEqual([{ wrapped: null }])
  })

  it('is none that was never there', async () => {
    const vault = await copy()
    await expect(vault.keysToOpen(['never'])).rejects.toThrow(KeyMissing)
    await vault.destroy('before')
    await expect(vault.keysToSeal(['before'])).rejects.toThrow(KeyDestroyed)
  })
})

it('is told from one whose database does not answer', async () => {
  const broken = openPool(database.url, 1)
  const vault = await postgresVault(broken, master)
  await broken.end()
  await expect(vault.keysToSeal(['x'])).rejects.toThrow(StoreUnavailable)
  await vault.close()
})

describe('an exchange of the master key', () => {
  const next = newKey()
  const signal = new AbortController().signal
  const all = async () => (await pool.query('select subject, wrapped, master from app.data_keys order by subject')).rows

  it('waits for nobody: it is refused while somebody works with the keys', async () => {
    await expect(
      exchangeMasterKey(pool, master, async () => next, { signal, onProgress: () => undefined }),
    ).rejects.toThrow(/is running/)
    for (const vault of opened.splice(0)) await vault.close()
  })

  it('that ends in the middle has changed nothing', async () => {
    await pool.query(
      `insert into app.data_keys (subject, wrapped, master) select 'zz-damaged', decode(repeat('00', 60), 'hex'), master from app.data_keys limit 1`,
    )
    const before = await all()
    let progress = 0
    const broken = exchangeMasterKey(pool, master, async () => next, { signal, onProgress: () => progress++ })
    await expect(broken).rejects.toThrow(/zz-damaged is damaged/)
    expect(await all()).toEqual(before)
    await pool.query(`delete from app.data_keys where subject = 'zz-damaged'`)
  })

  it('changes no key; who still has the old one neither reads nor writes with it', async () => {
    const subjects = names(40, 'same')
    const old = await copy()
    const keys = await old.keysToOpen(subjects)
    // As if its connection had been lost for a moment.
    await old.close()
    opened.splice(0)
    const count = await exchangeMasterKey(pool, master, async () => next, { signal, onProgress: () => undefined })
    expect(count).toBeGreaterThan(500)
    await expect(old.keysToOpen(['page-1'])).rejects.toThrow(/start it again/)
    await expect(old.keysToSeal(['after'])).rejects.toThrow(/start it again/)
    await expect(postgresVault(pool, master)).rejects.toThrow(/Another master key/)
    const vault = await postgresVault(pool, next)
    opened.push(vault)
    expect(textsOf(subjects, await vault.keysToOpen(subjects))).toEqual(textsOf(subjects, keys))
    expect((await vault.keysToOpen(['gone'])).get('gone')).toBeNull()
  })
})
