import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBackup } from '#backup/restore.ts'
import { openPool } from '#database/pool.ts'
import { migrate } from '#database/migrations.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase, waitUntilSessionsEnd } from '#tests/support/test-database.ts'
import { known, load, onPool, save, temporaryFolder } from './backups.ts'
import { itLong } from '#tests/support/long.ts'

describe('a restore', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let from: TestDatabase
  let to: TestDatabase
  let file: string
  let bytes: Buffer
  const check = (name: string) =>
    verifyBackup(name, known, { signal: new AbortController().signal, onProgress: () => undefined })

  beforeAll(async () => {
    ;[folder, from, to] = await Promise.all([temporaryFolder(), createTestDatabase(), createTestDatabase()])
    const app = await startTestApp({ databaseUrl: from.url })
    await newOwner(app)
    await app.stopInstance()
    await waitUntilSessionsEnd(from.url)
    file = folder.file('whole')
    await save(from.url, file)
    bytes = await readFile(file)
  })
  afterAll(async () => {
    await Promise.all([from.drop(), to.drop()])
    await folder.remove()
  })
  /** Returns whether the target database is still empty, without any table of Everchart. */
  const isUntouched = () =>
    onPool(to.url, async (pool) => {
      const { rows } = await pool.query(`select nspname from pg_namespace where nspname in ('app', 'es', 'read')`)
      return rows.length === 0
    })

  it('refuses a file that is truncated at any byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), async (length) => {
        await writeFile(folder.file('cut'), bytes.subarray(0, length))
        await expect(check(folder.file('cut'))).rejects.toBeInstanceOf(OperationRefused)
      }),
      { numRuns: 150, examples: [[0], [18], [19], [bytes.length - 1], [bytes.length - 72]] },
    )
  })

  it('refuses a file with any bit flipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), async (at, bit) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        await writeFile(folder.file('flipped'), changed)
        await expect(check(folder.file('flipped'))).rejects.toBeInstanceOf(OperationRefused)
      }),
      { numRuns: 300 },
    )
    await writeFile(folder.file('flipped'), bytes)
    await appendFile(folder.file('flipped'), 'x')
    await expect(load(to.url, folder.file('flipped'))).rejects.toThrow('its end is missing')
    expect(await isUntouched()).toBe(true)
  })

  it.each([
    ['a file that is not a backup', 'PGDMP', 'is not a backup of Everchart'],
    ['a newer file format', 'everchart-backup 2\n', 'was created by a newer version of Everchart'],
  ])('refuses %s', async (_, text, why) => {
    await writeFile(folder.file('other'), text)
    await expect(load(to.url, folder.file('other'))).rejects.toThrow(why)
    await expect(load(to.url, folder.file('nowhere'))).rejects.toThrow('there is no such file or folder')
    expect(await isUntouched()).toBe(true)
  })

  it('refuses an event or a table of a newer version', async () => {
    const events = known.events.filter((name) => name !== 'PatientRegistered 1')
    const why = 'was created by a newer version of Everchart (1.2.3): this one does not support'
    await expect(load(to.url, file, { events })).rejects.toThrow(`${why} PatientRegistered 1`)
    const migrations = known.migrations.filter(({ id }) => id !== 'accounts-001-credentials')
    await expect(load(to.url, file, { migrations })).rejects.toThrow(`${why} accounts-001-credentials`)
    expect(await isUntouched()).toBe(true)
  })

  it('writes nothing when it is cancelled midway', async () => {
    const stop = new AbortController()
    const onShare = () => stop.abort()
    await expect(load(to.url, file, {}, { signal: stop.signal, onProgress: onShare })).rejects.toThrow('aborted')
    expect([stop.signal.aborted, await isUntouched()]).toEqual([true, true])
  })

  it('writes nothing when it fails midway, and can be retried', async () => {
    const broken = known.migrations.map((step) =>
      step.id === 'accounts-002-attempts'
        ? { ...step, sql: 'create table app.attempts (key text check (key is null))' }
        : step,
    )
    await expect(load(to.url, file, { migrations: broken })).rejects.toThrow('column')
    expect(await isUntouched()).toBe(true)
    await load(to.url, file)
    expect(await isUntouched()).toBe(false)
  })

  it('refuses a database that holds data, and one with another client connected', async () => {
    await expect(load(from.url, file)).rejects.toThrow(/^This installation is in use \(app\.\w+ has rows\)/)
    const otherClient = openPool(from.url, 1)
    await otherClient.query('select 1')
    await expect(load(from.url, file)).rejects.toThrow('Another client is connected to the database')
    await otherClient.end()
  })

  itLong('replaces an installation that was started and never used', async () => {
    const unused = await createTestDatabase()
    await (await startTestApp({ databaseUrl: unused.url })).stopInstance()
    await waitUntilSessionsEnd(unused.url)
    await load(unused.url, file)
    const app = await startTestApp({ databaseUrl: unused.url })
    expect((await app.services.pool.query('select from read.users')).rowCount).toBe(1)
    await app.stopInstance()
    await unused.drop()
  })

  it('restores the tables of an older version as they were, and migrates them at the next start', async () => {
    const older = await createTestDatabase()
    const step = {
      id: 'test-later',
      sql: `alter table app.credentials add column later text; update app.credentials set later = 'x'`,
    }
    await load(older.url, file, { migrations: [...known.migrations, step] })
    await onPool(older.url, async (pool) => {
      await migrate(pool, [...known.migrations, step])
      expect((await pool.query('select later from app.credentials')).rows).toEqual([{ later: 'x' }])
    })
    await older.drop()
  })
})

describe('a backup', () => {
  itLong('refuses an existing file, a missing folder and an empty database, and leaves no partial file', async () => {
    const [folder, database] = await Promise.all([temporaryFolder(), createTestDatabase()])
    await expect(save(database.url, folder.file('a'))).rejects.toThrow('There is nothing to back up')
    await (await startTestApp({ databaseUrl: database.url })).stopInstance()
    await writeFile(folder.file('there'), 'mine')
    await expect(save(database.url, folder.file('there'))).rejects.toThrow('already exists')
    expect(await readFile(folder.file('there'), 'utf8')).toBe('mine')
    await expect(save(database.url, folder.file('no/where'))).rejects.toThrow('there is no such file or folder')

    const stopped = new AbortController()
    await onPool(database.url, async (pool) => {
      await pool.query(`insert into es.events (position, stream, revision, event_id, type, data, metadata)
        select n, 's', n - 1, gen_random_uuid(), 'T', repeat(md5(n::text), 40), '{}' from generate_series(1, 50000) n`)
    })
    const broken = save(database.url, folder.file('stopped'), {
      signal: stopped.signal,
      onEvents: () => stopped.abort(new Error('Ctrl-C')),
    })
    await expect(broken).rejects.toThrow('aborted')
    expect(await readdir(path.dirname(folder.file('')))).not.toContain('stopped')
    expect((await readdir(folder.file('.'))).toSorted()).toEqual(['there'])
    await database.drop()
    await folder.remove()
  })
})
