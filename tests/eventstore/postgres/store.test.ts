import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recorded } from '#eventstore/event.ts'
import { EventIdConflict } from '#eventstore/event-store.ts'
import { appendGroup } from '#eventstore/postgres/group-append.ts'
import { createEventStoreSchema, type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { newEvent } from '#tests/support/events.ts'
import { listStatements } from '#tests/support/list-statements.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { contract } from '#tests/eventstore/contract.ts'
import { jointAppends } from '#tests/eventstore/joint-appends-contract.ts'

async function open() {
  const database = await createTestDatabase()
  const pool = openTestPool(database.url, 5)
  const store = await openPostgresStore(pool)
  return {
    store,
    async close() {
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}

contract('PostgreSQL', open)
jointAppends('PostgreSQL', open)

describe('the PostgreSQL store', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore

  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 20)
    store = await openPostgresStore(pool)
  })
  afterAll(async () => {
    await store.close()
    await pool.end()
    await database.drop()
  })

  it.each(['update es.events set type = type', 'delete from es.events', 'truncate es.events'])(
    'refuses to change what was written: %s',
    async (statement) => {
      await store.append(`kept-${statement.slice(0, 6)}`, 'no-stream', [newEvent()])
      await expect(pool.query(statement)).rejects.toThrow('append-only')
    },
  )

  it('reads streams that are asked for at the same time in one statement, each to its end', async () => {
    const lengths = [1, 0, 499, 500, 501, 2, 1_203, 0, 3]
    for (const [index, length] of lengths.entries()) {
      const events = Array.from({ length }, () => newEvent())
      if (length > 0) await store.append(`together-${index}`, 'no-stream', events)
    }
    async function read(index: number): Promise<Recorded[]> {
      const events: Recorded[] = []
      for await (const event of store.read(`together-${index}`)) events.push(event)
      return events
    }
    let streams: Recorded[][] = []
    const statements = await listStatements(async () => {
      streams = await Promise.all(lengths.map((_, index) => read(index)))
    })
    const expected = lengths.map((length, index) =>
      Array.from({ length }, (_, revision) => ({ stream: `together-${index}`, revision: BigInt(revision) })),
    )
    expect(streams.map((events) => events.map(({ stream, revision }) => ({ stream, revision })))).toEqual(expected)
    // And the later pages of three long ones.
    expect(statements.filter((name) => name.startsWith('es-read'))).toEqual([
      'es-read-first-pages',
      ...Array.from({ length: 4 }, () => 'es-read'),
    ])
  })

  it('recognizes a used id in any stream, and fails only that append of a group', async () => {
    const taken = newEvent()
    await store.append('taken', 'no-stream', [taken])
    const others = (name: string) =>
      Array.from({ length: 10 }, (_, n) => store.append(`${name}-${n}`, 'no-stream', [newEvent()]))
    const results = await Promise.allSettled([
      ...others('before'),
      store.append('guilty', 'no-stream', [taken]),
      ...others('after'),
    ])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(results[10]).toMatchObject({ reason: expect.any(EventIdConflict) })
  })

  it('returns an outcome for every append of a group, with positions in their order', async () => {
    await store.append('group-there', 'no-stream', [newEvent()])
    const before = BigInt(((await store.head()) ?? '').slice(3))
    const rows = (count: number) =>
      Array.from({ length: count }, () => {
        const { id, type } = newEvent()
        return { id, type, data: '{}', metadata: '{}' }
      })
    const alone = [
      { stream: 'group-new', expected: -1n, rows: rows(2) },
      { stream: 'group-there', expected: -1n, rows: rows(3) },
      { stream: 'group-missing', expected: 4n, rows: rows(1) },
      { stream: 'group-there-not', expected: -1n, rows: [] },
      { stream: 'group-other', expected: -1n, rows: rows(1) },
    ]
    const outcomes = await appendGroup(
      pool,
      alone.map((append) => [append]),
    )
    expect(outcomes).toEqual([
      [{ ok: true, revision: 1n, position: before + 2n }],
      [{ ok: false, revision: 0n }],
      [{ ok: false, revision: -1n }],
      [{ ok: true, revision: -1n, position: before + 2n }],
      [{ ok: true, revision: 0n, position: before + 3n }],
    ])
    const { rows: there } = await pool.query(
      'select position, stream, revision from es.events where position > $1 order by position',
      [before],
    )
    expect(there).toEqual([
      { position: String(before + 1n), stream: 'group-new', revision: '0' },
      { position: String(before + 2n), stream: 'group-new', revision: '1' },
      { position: String(before + 3n), stream: 'group-other', revision: '0' },
    ])
  })

  it('returns the outcomes of units of which some belong together, with positions in their order', async () => {
    await store.append('unit-there', 'no-stream', [newEvent()])
    const before = BigInt(((await store.head()) ?? '').slice(3))
    const row = () => {
      const { id, type } = newEvent()
      return { id, type, data: '{}', metadata: '{}' }
    }
    const outcomes = await appendGroup(pool, [
      [
        { stream: 'unit-1', expected: -1n, rows: [row()] },
        { stream: 'unit-2', expected: -1n, rows: [row(), row()] },
        { stream: 'unit-there', expected: 0n, rows: [] },
      ],
      [{ stream: 'unit-3', expected: -1n, rows: [row()] }],
      [
        { stream: 'unit-4', expected: -1n, rows: [row()] },
        { stream: 'unit-there', expected: 1n, rows: [] },
      ],
      [{ stream: 'unit-5', expected: -1n, rows: [row()] }],
    ])
    expect(outcomes).toEqual([
      [
        { ok: true, revision: 0n, position: before + 1n },
        { ok: true, revision: 1n, position: before + 3n },
        { ok: true, revision: 0n, position: before + 3n },
      ],
      [{ ok: true, revision: 0n, position: before + 4n }],
      [
        { ok: true, revision: -1n, position: before + 4n },
        { ok: false, revision: 0n },
      ],
      [{ ok: true, revision: 0n, position: before + 5n }],
    ])
    const { rows } = await pool.query<{ event: string }>(
      `select concat_ws(' ', position - $1, stream, revision) as event from es.events where position > $1 order by position`,
      [before],
    )
    expect(rows.map(({ event }) => event)).toEqual([
      '1 unit-1 0',
      '2 unit-2 0',
      '3 unit-2 1',
      '4 unit-3 0',
      '5 unit-5 0',
    ])
  })

  it('appends to several streams only once the owner has upgraded the functions of an earlier version', async () => {
    await pool.query('alter function es.append_together rename to append_together_later')
    const older = await openPostgresStore(pool)
    expect(older.appendTogether).toBeUndefined()
    expect(await older.append('older', 'no-stream', [newEvent()])).toMatchObject({ status: 'appended' })
    await older.close()
    await createEventStoreSchema(pool)
    const upgraded = await openPostgresStore(pool)
    expect(upgraded.appendTogether).toBeTypeOf('function')
    await upgraded.close()
  })

  it('writes concurrent appends in one transaction each time', async () => {
    const [writers, turns] = [32, 10]
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let turn = 0; turn < turns; turn++)
          await store.append(`crowd-${writer}-${turn}`, 'no-stream', [newEvent('Crowded')])
      }),
    )
    const { rows } = await pool.query(
      `select count(*)::int as events, count(distinct xmin::text)::int as transactions from es.events where type = 'Crowded'`,
    )
    expect(rows).toEqual([{ events: writers * turns, transactions: turns }])
  })

  it('refuses a position of another kind of store', async () => {
    await expect(store.readAll('es-00000000000000000012', { limit: 10 })).rejects.toThrow(
      'Not a position of the PostgreSQL store',
    )
  })

  it('notifies its own listeners once per append', async () => {
    // Notifications of earlier tests may still arrive in the common database.
    const separate = await createTestDatabase()
    const own = openTestPool(separate.url, 2)
    let woken = 0
    const quiet = await openPostgresStore(own)
    // The first call reports that listening has begun.
    await new Promise<void>((resolve) => quiet.onWake(() => void (woken++, resolve())))
    const other = await openPostgresStore(own)
    const begun = woken
    await quiet.append('own-news', 'no-stream', [newEvent()])
    // The notification of the other store arrives after our own, on the same connection.
    await other.append('other-news', 'no-stream', [newEvent()])
    while (woken < begun + 2) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(woken).toBe(begun + 2)
    await Promise.all([quiet.close(), other.close()])
    await own.end()
    await separate.drop()
  })

  it('wakes an instance in another process', async () => {
    const own = openTestPool(database.url, 2)
    const other = await openPostgresStore(own)
    // The first call reports that listening has begun.
    await new Promise<void>((resolve) => {
      const stop = other.onWake(() => {
        stop()
        resolve()
      })
    })
    const woken = new Promise<void>((resolve) => {
      const stop = other.onWake(() => {
        stop()
        resolve()
      })
    })
    await store.append('woken', 'no-stream', [newEvent()])
    await expect(woken).resolves.toBeUndefined()
    await other.close()
    await own.end()
  })
})
