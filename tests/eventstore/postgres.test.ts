import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EventIdTaken } from '#eventstore/event-store.ts'
import { type PostgresStore, postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { newEvent, readEverything } from '#tests/support/events.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { contract } from './contract.ts'

contract('PostgreSQL', async () => {
  const database = await createTestDatabase()
  const pool = openPool(database.url, 5)
  const store = await postgresStore(pool)
  return {
    store,
    async close() {
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
})

describe('the PostgreSQL store', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore

  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openPool(database.url, 20)
    store = await postgresStore(pool)
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

  it('knows an id in whatever stream it is, and fails only the guilty one of a group', async () => {
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
    expect(results[10]).toMatchObject({ reason: expect.any(EventIdTaken) })
  })

  it('refuses a checkpoint that another kind of store wrote', async () => {
    await expect(store.readAll('es-00000000000000000012', 10)).rejects.toThrow('Not a position of the PostgreSQL store')
  })

  it('never shows an event out of order or leaves a gap, with many writers and a reader at once', async () => {
    const writers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const own = openPool(database.url, 4)
        return { own, store: await postgresStore(own) }
      }),
    )
    const before = await store.head()
    const seen: string[] = []
    let writing = true
    const reading = (async () => {
      for (let after = before; ;) {
        const last = !writing
        const { events, next } = await store.readAll(after, 50)
        seen.push(...events.map(({ id }) => id))
        after = next
        if (last && events.length === 0) return
      }
    })()
    const written = await Promise.all(
      writers.flatMap((writer, w) =>
        Array.from({ length: 4 }, async (_, lane) => {
          const ids: string[] = []
          for (let n = 0; n < 60; n++) {
            const event = newEvent('Stressed', { n })
            await writer.store.append(`stress-${w}-${lane}`, n === 0 ? 'no-stream' : BigInt(n - 1), [event])
            ids.push(event.id)
          }
          return ids
        }),
      ),
    )
    writing = false
    await reading
    const everything = (await readEverything(store)).filter(({ type }) => type === 'Stressed')
    expect(seen).toEqual(everything.map(({ id }) => id))
    expect(new Set(seen)).toEqual(new Set(written.flat()))
    const { rows } = await pool.query('select count(*)::int as n, max(position)::int as top from es.events')
    expect(rows[0].n).toBe(rows[0].top)
    for (const { own, store: other } of writers) {
      await other.close()
      await own.end()
    }
  })

  it('wakes a copy of the app in another process when this one writes', async () => {
    const own = openPool(database.url, 2)
    const other = await postgresStore(own)
    // The first call says that listening has begun.
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
