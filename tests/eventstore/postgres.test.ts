import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EventIdTaken } from '#eventstore/event-store.ts'
import { type PostgresStore, postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { newEvent } from '#tests/support/events.ts'
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

  it('is woken once by its own append, which it knows of already', async () => {
    const own = openPool(database.url, 2)
    const quiet = await postgresStore(own)
    const other = await postgresStore(own)
    let woken = 0
    // The first call says that listening has begun.
    await new Promise<void>((resolve) => quiet.onWake(() => void (woken++, resolve())))
    const heard = new Promise<void>((resolve) => other.onWake(resolve))
    await heard
    const begun = woken
    await quiet.append('own-news', 'no-stream', [newEvent()])
    // What another one says comes after the own announcement, on the same connection.
    await other.append('other-news', 'no-stream', [newEvent()])
    while (woken < begun + 2) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(woken).toBe(begun + 2)
    await Promise.all([quiet.close(), other.close()])
    await own.end()
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
