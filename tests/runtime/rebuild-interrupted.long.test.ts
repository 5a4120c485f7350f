import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import { formatKey, generateKey, type Key } from '#encryption/cipher.ts'
import { loadKeys } from '#encryption/installation-keys.ts'
import { openPostgresKeyStore, type PostgresKeyStore } from '#encryption/postgres-key-store.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { patientsProjection } from '#modules/patients/projection.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { generatePatients } from '#tests/bench/generated-patients.ts'
import { newEvent } from '#tests/support/events.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'

const patients = 8_400
/** Enough events for several writes of the new table. */
const notes = 'Called, will come again. '.repeat(140)

describe('npm run projections -- rebuild, in a separate process during reads and writes', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  let masterKey: Key
  let keyStore: PostgresKeyStore
  let runner: ProjectionRunner
  let ended: boolean
  let writing: Promise<void>
  let table: unknown
  let reader: PoolClient | undefined
  const children: ChildProcess[] = []

  beforeEach(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 8)
    store = await openPostgresStore(pool)
    masterKey = generateKey()
    await loadKeys(pool, { dataDir: '', masterKey, hashKey: undefined })
    keyStore = await openPostgresKeyStore(pool, masterKey, { limits: { maxKeys: 20_000, ttlMs: 3_600_000 } })
    const practiceId = PracticeId.parse(crypto.randomUUID())
    const patientEvents = generatePatients(practiceId, 1_000_000)
    const write = async (count: number) => {
      const some = Array.from({ length: count }, () => {
        const { value } = patientEvents.next()
        if (!value) throw new Error('no patients are left')
        return newEvent(value.type, { ...value.data, notes }, { practiceId })
      })
      const { status } = await store.append(`patients-${crypto.randomUUID()}`, 'no-stream', some)
      if (status !== 'appended') throw new Error(status)
    }
    for (let written = 0; written < patients; written += 200) await write(200)
    runner = createProjectionRunner({
      store,
      pool,
      projections: [patientsProjection],
      keyStore,
      logger: pino({ level: 'silent' }),
    })
    await runner.start()
    const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from read.patients')
    expect(rows[0]?.count).toBe(patients)
    table = await findCurrentTable()
    // An open reader blocks the swap, so that the rebuild cannot be over before the signal arrives.
    reader = await pool.connect()
    await reader.query('begin; select count(*) from read.patients')
    ended = false
    writing = (async () => {
      for (; !ended; await sleep(20)) await write(1)
    })()
  })
  afterEach(async () => {
    // A test that failed early leaves its rebuild running and the reader open, which block the runner and the pool.
    for (const child of children.splice(0)) child.kill('SIGKILL')
    reader?.release(true)
    ended = true
    await writing
    await runner.stop()
    await store.close()
    await keyStore.close()
    await pool.end()
    await database.drop()
  })

  const findCurrentTable = async () =>
    (
      await pool.query(
        `select 'read.patients'::regclass::oid as oid, version from read.checkpoints where name = 'patients'`,
      )
    ).rows[0]
  const next = async () =>
    (
      await pool.query<{ position: string | null }>(
        `select position from read.checkpoints where name = 'patients~next'`,
      )
    ).rows[0]

  function call(...words: string[]): ChildProcess & { output(): string } {
    const env = { ...processEnvironment, DATABASE_URL: database.url, MASTER_KEY: formatKey(masterKey) }
    const child = spawn(process.execPath, ['backend/cli/projections.ts', ...words], { env })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    return Object.assign(child, { output: () => output })
  }
  async function endOf(child: ChildProcess & { output(): string }) {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return { code, signal, output: child.output() }
  }

  /** Runs the rebuild again, and expects it to resume and to produce the folded rows. */
  async function expectToResume(): Promise<void> {
    await reader?.query('commit')
    expect(await findCurrentTable()).toEqual(table)
    const checkpoint = await next()
    expect(checkpoint?.position).toMatch(/^pg-/)
    const done = Number(checkpoint?.position?.slice(3))
    // Events remain to be folded.
    await expect.poll(async () => Number((await store.head())?.slice(3))).toBeGreaterThan(done)
    // PostgreSQL releases the lock of a killed rebuild when it detects the end of its session.
    const held = `select from pg_locks where locktype = 'advisory' and classid = ${advisoryLocks.rebuild}
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await pool.query(held)).rowCount).toBe(0)
    const again = await endOf(call('rebuild', 'patients'))
    expect(again).toMatchObject({ code: 0, signal: null, output: expect.stringContaining('done, ') })
    const head = Number((await store.head())?.slice(3))
    const events = Number(/done, ([\d,]+) events/.exec(again.output)?.[1]?.replaceAll(',', ''))
    expect(events).toBeGreaterThan(0)
    expect(events).toBeLessThanOrEqual(head - done)
    expect(await findCurrentTable()).not.toEqual(table)
    const proved = await endOf(call('verify', 'patients'))
    expect([proved.code, proved.output]).toEqual([0, expect.stringMatching(/all rows are correct/)])
  }

  it('stops on Ctrl-C with exit code 130, changes nothing, and resumes at the next call', async () => {
    const child = call('rebuild', 'patients')
    const end = endOf(child)
    await expect.poll(next, { interval: 5 }).toBeDefined()
    child.kill('SIGINT')
    expect(await end).toMatchObject({
      code: 130,
      signal: null,
      output: 'patients: cancelled, nothing was changed; the next rebuild continues from here\n',
    })
    await expectToResume()
  })

  it('changes nothing when it is killed, and resumes at the next call', async () => {
    const child = call('rebuild', 'patients')
    const end = endOf(child)
    await expect.poll(next, { interval: 5 }).toMatchObject({ position: expect.stringMatching(/^pg-/) as unknown })
    child.kill('SIGKILL')
    expect(await end).toMatchObject({ code: null, signal: 'SIGKILL' })
    await expectToResume()
  })
})
