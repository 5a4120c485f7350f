import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '#database/pool.ts'
import { migrate } from '#database/migrations.ts'
import { serializeError } from '#runtime/logger.ts'
import { installationMigration } from '#runtime/installation.ts'
import { verifyHashKey, storeSecret, createKeyedHash, resolveSessionSecret } from '#runtime/secrets.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-secrets-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

test('secrets are created once, readable by their owner only, and never change', async () => {
  const first = await resolveSessionSecret(folder, undefined)
  expect(await resolveSessionSecret(folder, undefined)).toBe(first)
  expect(await storeSecret(path.join(folder, 'session-secret'), 'another secret that is long enough, too')).toBe(first)
  expect(await readdir(folder)).toEqual(['session-secret'])
  expect((await stat(path.join(folder, 'session-secret'))).mode & 0o777).toBe(0o600)
  expect((await readFile(path.join(folder, 'session-secret'), 'utf8')).length).toBeGreaterThanOrEqual(43)
})

test('a configured secret takes precedence over the stored one, and a damaged one is never replaced', async () => {
  expect(await resolveSessionSecret(folder, 'given')).toBe('given')
  const other = await mkdtemp(path.join(os.tmpdir(), 'everchart-secrets-'))
  await writeFile(path.join(other, 'session-secret'), 'short')
  await expect(resolveSessionSecret(other, undefined)).rejects.toThrow(
    /session-secret is damaged: restore it from a backup/,
  )
  expect(await readFile(path.join(other, 'session-secret'), 'utf8')).toBe('short')
  await rm(other, { recursive: true })
})

test('keyed hashes differ by key, purpose and value, and by the boundary between them', () => {
  const hash = createKeyedHash('one key')
  expect(hash('email', 'ada@b.example')).toMatch(/^[0-9a-f]{64}$/)
  expect(hash('email', 'ada@b.example')).not.toBe(hash('email', 'bob@b.example'))
  expect(hash('email', 'ada')).not.toBe(hash('username', 'ada'))
  expect(hash('ab', 'c')).not.toBe(hash('a', 'bc'))
  expect(createKeyedHash('another')('email', 'ada')).not.toBe(hash('email', 'ada'))
})

test('a database keeps its first hash key', async () => {
  const pool = openPool(database.url, 2)
  try {
    await migrate(pool, [installationMigration])
    await verifyHashKey(pool, createKeyedHash('the first key'))
    await verifyHashKey(pool, createKeyedHash('the first key'))
    await expect(verifyHashKey(pool, createKeyedHash('another key'))).rejects.toThrow(
      /not the one this database was created/,
    )
    const { rows } = await pool.query<{ value: string }>('select value from app.installation')
    expect(rows[0]?.value).not.toContain('the first key')
  } finally {
    await pool.end()
  }
})

test('an error is logged without the rows and values that PostgreSQL adds to it', async () => {
  const pool = openPool(database.url, 1)
  try {
    const failures = await Promise.all([
      pool.query(`select $1::date`, ['Grace Hopper']).catch((error: unknown) => error),
      pool
        .query(`create table twice (email text unique); insert into twice values ('ada@b.example'), ('ada@b.example')`)
        .catch((error: unknown) => error),
    ])
    for (const failure of failures) {
      const logged = JSON.stringify(serializeError(new Error('wrapped for ada@b.example', { cause: failure })))
      expect(logged).toContain('"cause"')
      expect(logged).not.toMatch(/Grace|Hopper|ada@b/)
    }
  } finally {
    await pool.end()
  }
})
