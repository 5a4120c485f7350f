import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { copyHistory, type CopyProgress } from '#eventstore/copy-history.ts'
import { CopyError, type HistoryTarget } from '#eventstore/history-writer.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { createTestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { startWireServer } from '#tests/support/wire/server.ts'

/** Fills twelve streams in turns, some by several events at once. */
async function fill(store: EventStore, rounds = 8): Promise<void> {
  const practiceId = randomUUID()
  for (let round = 0, revision = -1n; round < rounds; round++) {
    const events = (stream: number) =>
      Array.from({ length: (round % 3) + 1 }, (_, n) =>
        newEvent('Filled', { stream, round, n, text: 'Zoë 🦷 \u0000', big: '90071992547409931' }, { practiceId }),
      )
    for (let stream = 0; stream < 12; stream++)
      await store.append(`filled-${stream}`, revision === -1n ? 'no-stream' : revision, events(stream))
    revision += BigInt((round % 3) + 1)
  }
}

const readContent = async (store: EventStore) =>
  (await readAllEvents(store)).map(({ position: _, recordedAt: __, ...content }) => content)

describe('copying a history', () => {
  it('copies everything from PostgreSQL to EventStoreDB and back, in order', async () => {
    const server = await startWireServer()
    const [one, two] = [await createTestDatabase(), await createTestDatabase()]
    const pools = [openTestPool(one.url, 3), openTestPool(two.url, 3)] as const
    const [source, target] = [await openPostgresStore(pools[0]), await openPostgresStore(pools[1])]
    const between = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
    await fill(source)
    const copied = await copyHistory(source, between)
    expect(copied).toMatchObject({
      events: 180,
      alreadyPresent: 0,
      hasSourceGrown: false,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await copyHistory(between, target)).toEqual(copied)
    expect(await readContent(between)).toEqual(await readContent(source))
    expect(await readContent(target)).toEqual(await readContent(source))
    for (const store of [source, target, between]) await store.close()
    for (const pool of pools) await pool.end()
    await one.drop()
    await two.drop()
    await server.stop()
  })

  it('continues after an interruption and reports what was already present', async () => {
    const [source, target] = [createMemoryStore(), createMemoryStore()]
    await fill(source)
    const abort = new AbortController()
    let appends = 0
    const counting: EventStore = {
      ...target,
      async append(...args) {
        if (++appends === 40) abort.abort(new CopyError('enough'))
        return await target.append(...args)
      },
    }
    // An abort takes effect between two pages.
    const small: EventStore = {
      ...source,
      readAll: (after, { limit }) => source.readAll(after, { limit: Math.min(limit, 16) }),
    }
    await expect(copyHistory(small, counting, { signal: abort.signal })).rejects.toThrow('enough')
    const before = (await readContent(target)).length
    expect(before).toBeGreaterThan(30)
    const steps = new Set<CopyProgress['step']>()
    const copied = await copyHistory(source, target, { progress: ({ step }) => steps.add(step) })
    expect(copied).toMatchObject({ events: 180, alreadyPresent: before })
    expect([...steps]).toEqual(['counting', 'comparing', 'copying', 'verifying'])
    expect(await readContent(target)).toEqual(await readContent(source))
    expect(await copyHistory(source, target)).toMatchObject({ events: 180, alreadyPresent: 180 })
  })

  it.each([
    ['is lost before it is written', 'dropBeforeWrite'],
    ['is written and its reply is lost', 'dropAfterWrite'],
  ] as const)('keeps the order and writes nothing twice when an append %s', async (_, fault) => {
    const server = await startWireServer()
    const target = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
    const source = createMemoryStore()
    await fill(source, 6)
    server.faults[fault] = 3
    server.faults.dropReadAfter = 2
    expect(await copyHistory(source, target)).toMatchObject({ events: 144 })
    expect(await readContent(target)).toEqual(await readContent(source))
    // The faults took place, and each was followed by a new batch call.
    expect(server.faults[fault]).toBe(0)
    expect(server.calls.batchAppend).toBe(4)
    expect(server.calls.append).toBe(0)
    await target.close()
    await server.stop()
  })

  it('sends many appends to an EventStoreDB before the first one is confirmed', async () => {
    const server = await startWireServer()
    const target = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
    const source = createMemoryStore()
    await fill(source)
    let inFlight = 0
    let maxInFlight = 0
    const counting: HistoryTarget = {
      ...target,
      openOrderedAppender() {
        const appender = target.openOrderedAppender()
        return {
          ...appender,
          async append(...args) {
            maxInFlight = Math.max(maxInFlight, ++inFlight)
            return await appender.append(...args).finally(() => inFlight--)
          },
        }
      },
    }
    await copyHistory(source, counting)
    expect(maxInFlight).toBeGreaterThan(32)
    await target.close()
    await server.stop()
  })

  it('does not change a target that holds anything else', async () => {
    const [source, other, longer] = [createMemoryStore(), createMemoryStore(), createMemoryStore()]
    await fill(source, 1)
    await other.append('filled-0', 'no-stream', [newEvent('Filled', {})])
    await expect(copyHistory(source, other)).rejects.toThrow(
      'The target contains a different history: it differs at event 1',
    )
    expect(await readContent(other)).toHaveLength(1)
    await copyHistory(source, longer)
    await longer.append('more', 'no-stream', [newEvent()])
    await expect(copyHistory(source, longer)).rejects.toThrow('The target has more events than the source')
  })

  it('detects a target that stores something else than it was given', async () => {
    const [source, target] = [createMemoryStore(), createMemoryStore()]
    await fill(source, 1)
    const forgetful: EventStore = {
      ...target,
      append: (stream, expected, events) =>
        target.append(
          stream,
          expected,
          events.map((event) => ({ ...event, data: { ...event.data, n: 7 } })),
        ),
    }
    await expect(copyHistory(source, forgetful)).rejects.toThrow('The copy differs: source 12 events')
  })

  it('copies up to the head of the source at the start, and reports that it has grown', async () => {
    const [source, target] = [createMemoryStore(), createMemoryStore()]
    await fill(source, 1)
    let grown = false
    const growing: EventStore = {
      ...target,
      async append(...args) {
        if (!grown) await source.append('late', 'no-stream', [newEvent()])
        grown = true
        return await target.append(...args)
      },
    }
    expect(await copyHistory(source, growing)).toMatchObject({ events: 12, hasSourceGrown: true })
    expect(await copyHistory(source, target)).toMatchObject({ events: 13, alreadyPresent: 12, hasSourceGrown: false })
  })

  it('copies nothing from an empty store', async () => {
    expect(await copyHistory(createMemoryStore(), createMemoryStore())).toMatchObject({ events: 0, alreadyPresent: 0 })
  })
})
