import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { appointmentBooked, appointmentMoved, validAppointments, tags } from '#tests/support/appointments.ts'

describe('instances that update the same read models', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  let copies: ChildProcess[]
  let written: number
  let head: string
  let ended: boolean
  let writing: Promise<void>

  beforeEach(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 8)
    store = await openPostgresStore(pool)
    copies = []
    written = 0
    ended = false
    await startCopy('one')
    await startCopy('two')
    writing = keepWriting()
  })
  afterEach(async () => {
    ended = true
    await writing
    for (const copy of copies) copy.kill('SIGKILL')
    await store.close()
    await pool.end()
    await database.drop()
  })

  /** Starts an instance in a separate process; its connections carry its name. */
  async function startCopy(name: string): Promise<void> {
    const url = `${database.url}?application_name=${name}`
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    const copy = spawn(process.execPath, ['tests/support/projection-runner-process.ts', url], { stdio: [...stdio] })
    copies.push(copy)
    if (!copy.stdout) throw new Error('no output')
    const ready = once(copy.stdout, 'data').then(() => true)
    const isReady = await Promise.race([ready, once(copy, 'exit').then(() => false)])
    if (!isReady) throw new Error(`The instance ${name} ended before it was ready`)
  }

  /** Appends appointments with the same tag, so that a duplicated or missed event changes its count. */
  async function keepWriting(): Promise<void> {
    for (; !ended; written++) {
      const events = [
        appointmentBooked(`v${written % 50}`, { tags: ['counted'] }),
        appointmentMoved(`v${written % 50}`),
      ]
      const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
      if (appended.status !== 'appended') throw new Error(appended.status)
      head = appended.position
    }
  }

  const reached = async () => {
    const { rows } = await pool.query(`select min(position) as position from read.checkpoints`)
    return String(rows[0]?.position)
  }

  /** Freezes an instance while it folds, before its commit. Returns the frozen process. */
  async function freezeInTheMiddle(name: string, copy: ChildProcess): Promise<void> {
    const sessions = async () => {
      const { rows } = await pool.query<{ state: string }>(
        `select state from pg_stat_activity where application_name = $1 and datname = current_database()
         and backend_xid is not null`,
        [name],
      )
      return rows.map(({ state }) => state)
    }
    for (;;) {
      copy.kill('SIGSTOP')
      while ((await sessions()).includes('active'));
      if ((await sessions()).includes('idle in transaction')) return
      copy.kill('SIGCONT')
      await sleep(3)
    }
  }

  async function expectEverythingOnce(): Promise<void> {
    ended = true
    await writing
    await expect.poll(reached).toBe(head)
    expect(await readTableRows(pool, tags)).toEqual([{ tag: 'counted', n: written }])
    for (const model of [validAppointments, tags])
      expect(await readTableRows(pool, model)).toEqual(await foldRows(store, model))
  }

  it('hand over when the active instance is killed, and count every event once', async () => {
    const [one, two] = copies as [ChildProcess, ChildProcess]
    await freezeInTheMiddle('one', one)
    const before = head
    one.kill('SIGKILL')
    await expect.poll(reached, { interval: 20 }).toSatisfy((position: string) => position > before)
    await startCopy('three')
    await freezeInTheMiddle('two', two)
    const again = head
    two.kill('SIGKILL')
    await expect.poll(reached, { interval: 20 }).toSatisfy((position: string) => position > again)
    await expectEverythingOnce()
  })

  it('continue without a hanging instance, which cannot commit its batch when it resumes', async () => {
    const [one, two] = copies as [ChildProcess, ChildProcess]
    await freezeInTheMiddle('one', one)
    const before = head
    await expect.poll(reached, { interval: 20 }).toSatisfy((position: string) => position > before)
    one.kill('SIGCONT')
    // Its batch is rolled back; it follows again and can continue alone.
    two.kill('SIGKILL')
    const later = head
    await expect.poll(reached, { interval: 20 }).toSatisfy((position: string) => position > later)
    await expectEverythingOnce()
  })
})
