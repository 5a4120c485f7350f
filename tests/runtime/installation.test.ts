import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadKeys, type KeySettings } from '#encryption/installation-keys.ts'
import { formatKey, generateKey } from '#encryption/cipher.ts'
import { migrate } from '#database/migrations.ts'
import { installationMigration } from '#runtime/installation.ts'
import { verifyHashKey, createKeyedHash } from '#runtime/secrets.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'

let database: TestDatabase
let pool: Pool
let dataDir: string
const oldHashKey = 'a hash key from before it was kept in the database'

beforeEach(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 4)
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
/** Returns the fingerprints that distinguish the keys of installations. */
async function held(over: Partial<KeySettings> = {}): Promise<[master: string, hash: string]> {
  const { masterKey, keyedHash } = await loadKeys(pool, settings(over))
  return [formatKey(masterKey), keyedHash('email', 'ada@example.test')]
}
const stored = async () => {
  const { rows } = await pool.query<{ text: string }>('select i::text as text from app.installation i')
  return rows.map(({ text }) => text).join()
}

test('instances that start at the same time create one installation, and find it again', async () => {
  const [first, ...others] = await Promise.all([held(), held(), held()])
  for (const other of [...others, await held()]) expect(other).toEqual(first)
  expect(await readFile(path.join(dataDir, 'master-key'), 'utf8')).toBe(first[0])
  expect(await stored()).not.toContain(first[0])
})

test('a hash key in a file, as older versions stored it, is moved to the database', async () => {
  await migrate(pool, [installationMigration])
  await verifyHashKey(pool, createKeyedHash(oldHashKey))
  await writeFile(path.join(dataDir, 'hash-key'), oldHashKey)
  const [, hash] = await held()
  expect(hash).toBe(createKeyedHash(oldHashKey)('email', 'ada@example.test'))
  await rm(path.join(dataDir, 'hash-key'))
  expect((await held())[1]).toBe(hash)
  expect(await stored()).not.toContain(oldHashKey)
})

test('a configured hash key is moved to the database; a different one is refused and not stored', async () => {
  const [, hash] = await held({ hashKey: oldHashKey })
  expect((await held())[1]).toBe(hash)
  const before = await stored()
  await expect(held({ hashKey: 'another hash key, long enough to be one' })).rejects.toThrow(
    /^HASH_KEY .* is not the one/,
  )
  expect(await stored()).toBe(before)
})

test('a hash key that was lost before it was stored in the database is reported', async () => {
  await migrate(pool, [installationMigration])
  await verifyHashKey(pool, createKeyedHash(oldHashKey))
  await expect(held()).rejects.toThrow(/^HASH_KEY .* is not the one/)
  expect((await held({ hashKey: oldHashKey }))[1]).toBe(createKeyedHash(oldHashKey)('email', 'ada@example.test'))
})

test('a configured master key takes precedence over the stored one, and must match', async () => {
  const masterKey = generateKey()
  expect((await held({ masterKey }))[0]).toBe(formatKey(masterKey))
  await expect(held()).rejects.toThrow(/^MASTER_KEY is missing/)
  await expect(held({ masterKey: generateKey() })).rejects.toThrow(/^MASTER_KEY .* is not the one/)
  await writeFile(path.join(dataDir, 'master-key'), formatKey(generateKey()))
  expect((await held({ masterKey }))[0]).toBe(formatKey(masterKey))
})
