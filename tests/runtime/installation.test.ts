import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadKeys, type KeySettings } from '#encryption/installation-keys.ts'
import { formatKey, generateKey } from '#encryption/cipher.ts'
import { openPool } from '#database/pool.ts'
import { migrate } from '#database/migrations.ts'
import { verifyHashKey, installationMigration, createKeyedHash } from '#runtime/secrets.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

let database: TestDatabase
let pool: Pool
let dataDir: string
const oldHashKey = 'a hash key from before it was kept in the database'

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, 4)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'everchart-installation-'))
})
afterEach(async () => {
  await pool.end()
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const settings = (over: Partial<KeySettings> = {}): KeySettings => ({
  dataDir,
  masterKey: undefined,
  hashKey: undefined,
  ...over,
})
/** What tells one installation's keys from another's. */
async function held(over: Partial<KeySettings> = {}): Promise<[master: string, hash: string]> {
  const { masterKey, keyedHash } = await loadKeys(pool, settings(over))
  return [formatKey(masterKey), keyedHash('email', 'ada@example.test')]
}
const stored = async () => {
  const { rows } = await pool.query<{ text: string }>('select i::text as text from app.installation i')
  return rows.map(({ text }) => text).join()
}

test('copies that start at the same moment make one installation, and find it again', async () => {
  const [first, ...others] = await Promise.all([held(), held(), held()])
  for (const other of [...others, await held()]) expect(other).toEqual(first)
  expect(await readFile(path.join(dataDir, 'master-key'), 'utf8')).toBe(first[0])
  expect(await stored()).not.toContain(first[0])
})

test('a hash key kept in a file, as it used to be, goes on, and is in the database from then on', async () => {
  await migrate(pool, [installationMigration])
  await verifyHashKey(pool, createKeyedHash(oldHashKey))
  await writeFile(path.join(dataDir, 'hash-key'), oldHashKey)
  const [, hash] = await held()
  expect(hash).toBe(createKeyedHash(oldHashKey)('email', 'ada@example.test'))
  await rm(path.join(dataDir, 'hash-key'))
  expect((await held())[1]).toBe(hash)
  expect(await stored()).not.toContain(oldHashKey)
})

test('a hash key that is set goes on likewise; another one is refused, and not kept', async () => {
  const [, hash] = await held({ hashKey: oldHashKey })
  expect((await held())[1]).toBe(hash)
  const before = await stored()
  await expect(held({ hashKey: 'another hash key, long enough to be one' })).rejects.toThrow(
    /^HASH_KEY .* is not the one/,
  )
  expect(await stored()).toBe(before)
})

test('a hash key that was lost before it was kept in the database is missed', async () => {
  await migrate(pool, [installationMigration])
  await verifyHashKey(pool, createKeyedHash(oldHashKey))
  await expect(held()).rejects.toThrow(/^HASH_KEY .* is not the one/)
  expect((await held({ hashKey: oldHashKey }))[1]).toBe(createKeyedHash(oldHashKey)('email', 'ada@example.test'))
})

test('a set master key goes before a kept one, and has to be the right one', async () => {
  const masterKey = generateKey()
  expect((await held({ masterKey }))[0]).toBe(formatKey(masterKey))
  await expect(held()).rejects.toThrow(/^MASTER_KEY is missing/)
  await expect(held({ masterKey: generateKey() })).rejects.toThrow(/^MASTER_KEY .* is not the one/)
  await writeFile(path.join(dataDir, 'master-key'), formatKey(generateKey()))
  expect((await held({ masterKey }))[0]).toBe(formatKey(masterKey))
})
