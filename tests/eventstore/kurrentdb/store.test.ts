import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { deriveId } from '#eventstore/derive-id.ts'
import type { NewEvent } from '#eventstore/event.ts'
import { type Appended, EventIdConflict, type ExpectedRevision, StoreUnavailable } from '#eventstore/event-store.ts'
import { type EventStoreDbStore, openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { openPool } from '#database/pool.ts'
import { createRandom } from '#tests/crash/random.ts'
import { newEvent, readAllEvents, readStream } from '#tests/support/events.ts'
import { testSeed } from '#tests/support/seed.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'
import { startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'
import { itLong } from '#tests/support/long.ts'

/** Milliseconds: far more than a call takes on a busy machine. */
const callTimeoutMs = 10_000
/** Milliseconds: for calls that never get a response, whatever the time-out. */
const shortCallTimeoutMs = 500

describe('EventStoreDB with faults', () => {
  let server: WireServer
  let store: EventStoreDbStore
  const random = createRandom(testSeed)

  beforeEach(async () => {
    server = await startWireServer()
    store = openEventStoreDb(server.url, { callTimeoutMs })
  })
  afterEach(async () => {
    await store.close()
    expect(server.calls.batchAppend).toBe(0)
    await server.stop()
  })

  /** Opens a second client with a short time-out. */
  function openImpatientStore(): EventStoreDbStore {
    const impatient = openEventStoreDb(server.url, { callTimeoutMs: shortCallTimeoutMs })
    onTestFinished(() => impatient.close())
    return impatient
  }

  /** Appends like the command bus, but retries until the outcome is known. */
  async function appendWithRetry(stream: string, expected: ExpectedRevision, events: NewEvent[]) {
    for (;;) {
      try {
        return await store.append(stream, expected, events)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        await sleep(20)
      }
    }
  }

  const createEvents = (count: number) => Array.from({ length: count }, (_, n) => newEvent('Counted', { n }))

  /**
   * Returns the outcome of the first append whose outcome is known. After a time-out the adapter reads the stream for at
   * most 300 ms; if the machine is too busy for that, the outcome stays unknown, and another append is made.
   */
  async function appendUntilKnown(append: () => Promise<Appended>): Promise<Appended> {
    for (;;) {
      try {
        return await append()
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
      }
    }
  }

  it('reports an unknown outcome when the reply is lost, and resolves it with the same ids', async () => {
    const event = newEvent('A', { n: 1 })
    server.faults.dropAfterWrite = 1
    await expect(store.append('lost', 'no-stream', [event])).rejects.toThrow(StoreUnavailable)
    expect(server.log.stream('lost')).toHaveLength(1)
    expect(await appendWithRetry('lost', 'no-stream', [event])).toMatchObject({
      status: 'already-appended',
      revision: 0n,
    })
    expect(await readStream(store, 'lost')).toMatchObject([event])
  })

  it('writes with the second attempt when the first never arrived', async () => {
    const event = newEvent('A', { n: 1 })
    server.faults.dropBeforeWrite = 1
    await expect(store.append('lost', 'no-stream', [event])).rejects.toThrow(StoreUnavailable)
    expect(await appendWithRetry('lost', 'no-stream', [event])).toMatchObject({ status: 'appended', revision: 0n })
    expect(await readStream(store, 'lost')).toHaveLength(1)
  })

  it('checks the outcome of an append without a reply after its time-out', async () => {
    const impatient = openImpatientStore()
    let stream = ''
    let event = newEvent()
    const outcome = await appendUntilKnown(() => {
      stream = `silent-${randomUUID()}`
      // Another instance can repeat only ids that are derived from a name.
      event = newEvent('A', {}, { id: deriveId(stream) })
      server.faults.silentAfterWrite = 1
      return impatient.append(stream, 'no-stream', [event])
    })
    expect(outcome).toMatchObject({ status: 'appended', revision: 0n })
    expect(await appendWithRetry(stream, 'no-stream', [event])).toMatchObject({ status: 'already-appended' })
  })

  it('reads nothing back after an append, unless it may be a repetition', async () => {
    const events = [newEvent('A', { n: 1 }), newEvent('B', { n: 2 })]
    await Promise.all([1, 2, 3].map((n) => store.append(`new-${n}`, 'no-stream', [newEvent()])))
    await store.append('new', 'no-stream', events)
    await store.append('new', 1n, [newEvent()])
    expect(server.calls.read).toBe(0)
    expect(await store.append('new', 'no-stream', events)).toMatchObject({ status: 'already-appended' })
    expect(server.calls.read).toBeGreaterThan(0)
    const before = server.calls.read
    await store.append('new', 2n, [newEvent()])
    expect(server.calls.read).toBe(before)
  })

  it('reads nothing back after an append with derived ids that is certainly the first', async () => {
    await store.append('known', 'no-stream', [newEvent()])
    const event = newEvent('A', { n: 1 }, { id: deriveId('a request') })
    let isFirst = true
    const append = (...more: NewEvent[]) =>
      store.append('first', 'no-stream', [event, ...more], { isFirstAttempt: () => isFirst })
    expect(await append()).toMatchObject({ status: 'appended', revision: 0n })
    expect(server.calls.read).toBe(0)
    // This instance knows better, also when a caller is mistaken.
    expect(await append()).toMatchObject({ status: 'already-appended' })
    expect(server.calls.read).toBeGreaterThan(0)
    const before = server.calls.read
    isFirst = false
    const other = newEvent('A', {}, { id: deriveId('a request that ended') })
    expect(await store.append('ended', 'no-stream', [other], { isFirstAttempt: () => isFirst })).toMatchObject({
      status: 'appended',
    })
    expect(server.calls.read).toBe(before + 1)
  })

  it('reads back what was written before a lost reply, although the attempt is the first', async () => {
    await store.append('known', 'no-stream', [newEvent()])
    const event = newEvent('A', { n: 1 }, { id: deriveId('a lost request') })
    const append = () => store.append('lost', 'no-stream', [event], { isFirstAttempt: () => true })
    server.faults.dropAfterWrite = 1
    await expect(append()).rejects.toThrow(StoreUnavailable)
    expect(await appendUntilKnown(append)).toMatchObject({ status: 'already-appended', revision: 0n })
  })

  it('knows from reading what other instances appended since', async () => {
    const other = openEventStoreDb(server.url, { callTimeoutMs })
    onTestFinished(() => other.close())
    await store.append('known', 'no-stream', [newEvent()])
    const event = newEvent('A', { n: 1 }, { id: deriveId('a request elsewhere') })
    await other.append('elsewhere', 'no-stream', [event])
    await readAllEvents(store)
    // The key was lost, so that the second attempt is taken for the first.
    expect(await store.append('elsewhere', 'no-stream', [event], { isFirstAttempt: () => true })).toMatchObject({
      status: 'already-appended',
    })
  })

  it('recognizes what another instance appended under the same derived ids', async () => {
    const other = openEventStoreDb(server.url, { callTimeoutMs })
    onTestFinished(() => other.close())
    const event = newEvent('A', { n: 1 }, { id: deriveId('a job') })
    expect(await other.append('derived', 'no-stream', [event])).toMatchObject({ status: 'appended' })
    expect(await store.append('derived', 'no-stream', [event])).toMatchObject({ status: 'already-appended' })
    await expect(store.append('derived', 'no-stream', [{ ...event, data: { n: 2 } }])).rejects.toThrow(EventIdConflict)
  })

  it('does not mistake events of another writer for its own', async () => {
    await store.append('taken', 'no-stream', [newEvent('First'), newEvent('Others')])
    server.faults.silentAfterWrite = 1
    await expect(openImpatientStore().append('taken', 0n, [newEvent('Ours')])).rejects.toThrow(StoreUnavailable)
    expect(server.log.stream('taken')).toHaveLength(2)
  })

  it('checks the outcome of an append that timed out on the server', async () => {
    let stream = ''
    let event = newEvent()
    const outcome = await appendUntilKnown(() => {
      stream = `aborted-${randomUUID()}`
      event = newEvent()
      server.faults.timeOutAfterWrite = 1
      return store.append(stream, 'no-stream', [event])
    })
    expect(outcome).toMatchObject({ status: 'appended', revision: 0n })
    const again = await appendUntilKnown(() => {
      server.faults.timeOutAfterWrite = 1
      return store.append(stream, 'no-stream', [event])
    })
    expect(again).toMatchObject({ status: 'already-appended' })
    expect(server.log.stream(stream)).toHaveLength(1)
  })

  itLong('accepts a slow reply within the time-out', async () => {
    server.faults.delayMs = 300
    expect(await store.append('slow', 'no-stream', [newEvent()])).toMatchObject({ status: 'appended' })
    const impatient = openImpatientStore()
    server.faults.delayMs = shortCallTimeoutMs * 4
    await expect(impatient.append('slow', 0n, [newEvent()])).rejects.toThrow(StoreUnavailable)
    await expect(readStream(impatient, 'slow')).rejects.toThrow(StoreUnavailable)
  })

  it('times out on a server that hangs, and continues when it replies again', async () => {
    await store.append('hung', 'no-stream', [newEvent()])
    const impatient = openImpatientStore()
    server.proxy.freeze()
    const calls = [
      impatient.append('hung', 0n, [newEvent()]),
      readStream(impatient, 'hung'),
      impatient.readAll(null, { limit: 10 }),
      impatient.head(),
    ]
    // The network stays frozen until all of them have failed.
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
    server.proxy.thaw()
    const revision = BigInt((server.log.stream('hung') ?? []).length - 1)
    await appendWithRetry('hung', revision, [newEvent()])
    expect((await readStream(store, 'hung')).length).toBeGreaterThan(1)
  })

  it.each([0, 1, 250, 499, 500, 501, 1_102])(
    'reads a stream without gaps and duplicates when the connection breaks after %i events',
    async (count) => {
      const events = createEvents(1_203)
      await store.append('long', 'no-stream', events)
      server.faults.dropReadAfter = Math.min(count, 499)
      const seen: unknown[] = []
      for await (const { data } of store.read('long')) {
        seen.push(data)
        if (seen.length === count) server.faults.dropReadAfter = 3
      }
      expect(seen).toEqual(events.map(({ data }) => data))
    },
  )

  it('reads without gaps and duplicates when the connection breaks in the middle', async () => {
    for (let n = 0; n < 30; n++)
      await store.append(`all-${n % 3}`, n < 3 ? 'no-stream' : BigInt(Math.floor(n / 3) - 1), createEvents(1))
    const whole = (await readAllEvents(store)).map(({ id }) => id)
    expect(whole).toHaveLength(30)
    for (const after of [0, 1, 7, 29]) {
      server.faults.dropReadAfter = after
      expect((await readAllEvents(store, 30)).map(({ id }) => id)).toEqual(whole)
      server.faults.dropReadAfter = after
      expect((await readAllEvents(store, 8)).map(({ id }) => id)).toEqual(whole)
    }
  })

  it('continues when the server sends GOAWAY', async () => {
    const writing = Array.from({ length: 40 }, (_, n) => appendWithRetry(`goaway-${n}`, 'no-stream', [newEvent()]))
    server.sendGoAway()
    const outcomes = await Promise.all(writing)
    expect(outcomes.every(({ status }) => status.endsWith('appended'))).toBe(true)
    expect(await readAllEvents(store)).toHaveLength(40)
  })

  it('writes every event once while connections break repeatedly under load', async () => {
    let writing = true
    let written = 0
    const cutting = (async () => {
      for (let last = -1; writing;) {
        const moment = random.next() * 40
        await sleep(moment)
        // At least one append has to succeed between two cuts, however long it takes.
        if (written === last) continue
        last = written
        server.proxy.dropConnections()
      }
    })()
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const outcomes: Appended[] = []
      for (let n = 0; n < 12; n++) {
        outcomes.push(
          await appendWithRetry(`stormy-${writer}`, n === 0 ? 'no-stream' : BigInt(n - 1), [newEvent('N', { n })]),
        )
        written++
      }
      return outcomes
    })
    const outcomes = await Promise.all(writers)
    writing = false
    await cutting
    expect(outcomes.flat().every(({ status }) => status.endsWith('appended'))).toBe(true)
    for (let writer = 0; writer < 8; writer++)
      expect(server.log.stream(`stormy-${writer}`)?.map(({ revision }) => revision)).toEqual(
        Array.from({ length: 12 }, (_, n) => BigInt(n)),
      )
  })

  it('fails at once while the server is unavailable, and recovers by itself', async () => {
    await store.append('gone', 'no-stream', [newEvent()])
    await server.proxy.stopListening()
    for (const call of [
      () => store.append('gone', 0n, [newEvent()]),
      () => store.head(),
      () => readStream(store, 'gone'),
    ])
      await expect(call()).rejects.toThrow(StoreUnavailable)
    await server.proxy.resumeListening()
    expect(await appendWithRetry('gone', 0n, [newEvent()])).toMatchObject({ revision: 1n })
  })

  it('can be opened before the server is available', async () => {
    await server.proxy.stopListening()
    const early = openEventStoreDb(server.url, { callTimeoutMs })
    await expect(early.head()).rejects.toThrow(StoreUnavailable)
    await server.proxy.resumeListening()
    await expect.poll(() => early.head()).toBe(null)
    await early.close()
  })

  itLong('wakes the listeners of other instances through the database, also after its connection broke', async () => {
    const database = await createTestDatabase()
    const address = new URL(database.url)
    const port = Number(address.port)
    const network = await startFaultyProxy(() => port)
    address.host = `127.0.0.1:${network.port}`
    const pools = [openPool(address.href, 2), openPool(database.url, 2)] as const
    const [listening, writing] = pools.map((pool) => openEventStoreDb(server.url, { callTimeoutMs, pool })) as [
      EventStoreDbStore,
      EventStoreDbStore,
    ]
    let woken = 0
    listening.onWake(() => woken++)
    // Listening has begun.
    await expect.poll(() => woken).toBe(1)
    await writing.append('news', 'no-stream', [newEvent()])
    await expect.poll(() => woken).toBe(2)
    network.dropConnections()
    await expect.poll(() => woken).toBe(3)
    await writing.append('news', 0n, [newEvent()])
    await expect.poll(() => woken).toBe(4)
    await Promise.all([listening.close(), writing.close()])
    await Promise.all(pools.map((pool) => pool.end()))
    await network.close()
    await database.drop()
  })

  it('costs one call per append, and no event is delivered again', async () => {
    let woken = 0
    store.onWake(() => woken++)
    await Promise.all(Array.from({ length: 32 }, (_, index) => store.append(`one-${index}`, 'no-stream', [newEvent()])))
    expect(server.calls).toEqual({ append: 32, batchAppend: 0, read: 0, subscribe: 0 })
    expect(woken).toBe(32)
  })

  it('wakes its listeners when an append turns out to be a repetition, whose first reply was lost', async () => {
    const events = [newEvent()]
    const impatient = openImpatientStore()
    server.faults.dropAfterWrite = 1
    await expect(impatient.append('lost', 'no-stream', events)).rejects.toThrow(StoreUnavailable)
    let woken = 0
    impatient.onWake(() => woken++)
    await expect
      .poll(() => impatient.append('lost', 'no-stream', events).catch(() => undefined))
      .toMatchObject({ status: 'already-appended' })
    expect(woken).toBe(1)
  })

  it('reads a long stream page by page, only as far as the caller reads', async () => {
    await store.append('long', 'no-stream', createEvents(1_203))
    const before = server.calls.read
    let seen = 0
    for await (const _ of store.read('long')) if (++seen === 1) break
    expect(server.calls.read - before).toBe(1)
    for await (const _ of store.read('long')) if (++seen === 502) break
    expect(server.calls.read - before).toBe(3)
  })

  it('reports that user or password are refused', async () => {
    server.faults.denyAccess = true
    await expect(store.append('denied', 'no-stream', [newEvent()])).rejects.toThrow('rejects the user name or password')
    await expect(store.head()).rejects.toThrow('rejects the user name or password')
  })
})
