import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type CommandBus, createCommandBus } from '#eventstore/command-bus.ts'
import { createId } from '#eventstore/create-id.ts'
import type { Decider } from '#eventstore/decider.ts'
import { event } from '#eventstore/event.ts'
import { type EventStore, NothingWritten, StoreUnavailable } from '#eventstore/event-store.ts'
import { type EventStoreDbStore, openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import {
  createIdempotencyStore,
  type IdempotencyStore,
  idempotencyMigration,
  type KeyedRequest,
} from '#http/idempotency-store.ts'
import { ProblemError, toProblemError } from '#http/problems.ts'
import { createWriteRunner, type RunWrite, type WriteRequest } from '#http/run-write.ts'
import { migrate } from '#database/migrations.ts'
import { type Deadline, startDeadline } from '#runtime/deadline.ts'
import { createKeyedHash } from '#runtime/secrets.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { cases } from '#tests/support/long.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

const Stamped = event('Stamped', { at: z.string() })
type Stamped = z.infer<typeof Stamped>

/** A decider that recognizes no repetition, and whose events differ with the time. */
const stamps: Decider<{ type: 'Stamp'; at: string }, Stamped, number> = {
  category: 'stamps',
  events: Stamped,
  initial: 0,
  decide: ({ at }) => [{ type: 'Stamped', data: { at } }],
  evolve: (count) => count + 1,
}

/** The fate of one call of the event store. `late`: it is written after the caller has given up. */
const Fate = fc.constantFrom('written', 'refused', 'reply lost', 'request lost', 'late')
type Fate = 'written' | 'refused' | 'reply lost' | 'request lost' | 'late'

describe('a request that may write', () => {
  let database: TestDatabase
  let pool: Pool
  let now = Date.now()
  const clock = () => new Date(now)
  const logger = pino({ level: 'silent' })
  let keys: IdempotencyStore

  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 4)
    await migrate(pool, [idempotencyMigration])
    keys = createIdempotencyStore({ pool, keyedHash: createKeyedHash('a key of the test'), clock })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  /** A store whose appends meet the given fates in turn, and after them succeed. */
  function createUnreliableStore(fates: Fate[]) {
    const real = createMemoryStore()
    const late: (() => Promise<unknown>)[] = []
    /** Streams of repeated appends that the bus took for the first. */
    const mistakes: string[] = []
    const store: EventStore = {
      ...real,
      async append(...append) {
        const fate = fates.shift() ?? 'written'
        if (fate === 'refused') throw new NothingWritten('no room')
        if (fate === 'late') late.push(() => real.append(...append).catch(() => undefined))
        if (fate === 'late' || fate === 'request lost') throw new StoreUnavailable('no reply')
        const appended = await real.append(...append)
        if (appended.status === 'already-appended' && append[3]?.isFirstAttempt?.()) mistakes.push(append[0])
        if (fate === 'reply lost') throw new StoreUnavailable('no reply')
        return appended
      },
    }
    const writeLate = async () => {
      for (const write of late.splice(0)) await write()
    }
    const bus = createCommandBus({ store, clock, waitUntilCaughtUp: async () => undefined })
    const count = async () => (await readAllEvents(real)).length
    return { bus, count, writeLate, mistakes }
  }

  /** Writes to two new streams, one after the other, and twice to the second one. */
  async function stampThree(bus: CommandBus): Promise<string> {
    const context = newContext()
    const [first, second] = [createId('stamp'), createId('stamp')]
    for (const id of [first, second, second])
      await bus.execute(stamps, id, { type: 'Stamp', at: clock().toISOString() }, context)
    return JSON.stringify([first, second])
  }

  const newContext = () =>
    ({ practiceId: null, actor: { kind: 'process', name: 'test' }, correlationId: randomUUID() }) as const
  const newRequest = (deadline = startDeadline(240_000)) => ({
    keyed: { scope: 'test', key: randomUUID(), content: 'content' } as KeyedRequest,
    isReplyKept: true,
    deadline,
  })
  const getCode = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    return error === null ? null : toProblemError(error).code
  }

  it('is answered truly and has one effect, wherever its attempts fail', async () => {
    const attempt = fc.record({ isRecorded: fc.boolean(), isWrittenLate: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(Fate, { maxLength: 14 }),
        fc.array(attempt, { maxLength: 8 }),
        async (fates, attempts) => {
          const { bus, count, writeLate, mistakes } = createUnreliableStore([...fates])
          let isRecorded = true
          const unreliableKeys: IdempotencyStore = {
            ...keys,
            complete: (...all) =>
              isRecorded ? keys.complete(...all) : Promise.reject(new Error('The process was killed')),
            end: (...all) => (isRecorded ? keys.end(...all) : Promise.reject(new Error('The process was killed'))),
          }
          const runWrite = createWriteRunner({ store: unreliableKeys, logger })
          const request = newRequest()
          const handle = () => stampThree(bus)
          let reply: string | undefined
          for (const { isWrittenLate, ...recording } of attempts) {
            isRecorded = recording.isRecorded
            // A killed process never ends its attempt: the next one waits until that is certain. The time also changes the events.
            now += 10 * 60_000
            const code = await getCode(runWrite(request, handle).then((result) => void (reply = result.reply)))
            if (isWrittenLate) await writeLate()
            if (code === null) expect(await count()).toBe(3)
            else if (code !== 'outcome-unknown') {
              // It stays so, whatever was still on its way.
              await writeLate()
              expect(await count()).toBe(0)
            }
          }
          isRecorded = true
          for (let code: string | null = 'none yet'; code !== null;) {
            now += 10 * 60_000
            code = await getCode(
              runWrite(request, handle).then((result) => {
                reply ??= result.reply
                expect(result.reply).toBe(reply)
              }),
            )
          }
          await writeLate()
          expect(await count()).toBe(3)
          expect(mistakes).toEqual([])
        },
      ),
      { numRuns: cases(150, 5_000) },
    )
  })

  describe('that takes too long', () => {
    /** Runs a request whose deadline is over when its handler has begun, however fast the machine is. */
    const runShortly: RunWrite = (request, handle) => {
      let hasBegun = false
      const deadline: Deadline = { ...request.deadline, getRemainingMs: () => (hasBegun ? 10 : 240_000) }
      return createWriteRunner({ store: keys, logger })({ ...request, deadline }, () => {
        hasBegun = true
        return handle()
      })
    }

    it('is answered as not saved, and writes nothing afterwards', async () => {
      const { bus, count } = createUnreliableStore([])
      const { promise: slow, resolve: proceed } = Promise.withResolvers<void>()
      const request = newRequest()
      let late: Promise<string> | undefined
      const handle = () => (late = slow.then(() => stampThree(bus)))
      expect(await getCode(runShortly(request, handle))).toBe('too-slow')
      expect(await getCode(runShortly(request, handle))).toBe('still-running')
      proceed()
      await expect(late).rejects.toThrow(NothingWritten)
      expect(await count()).toBe(0)
    })

    it('is answered as unknown while it writes, and repeated with its late reply', async () => {
      const { bus, count } = createUnreliableStore([])
      const { promise: slow, resolve: proceed } = Promise.withResolvers<void>()
      const request = newRequest()
      const handle = async () => {
        const reply = await stampThree(bus)
        await slow
        return reply
      }
      expect(await getCode(runShortly(request, handle))).toBe('outcome-unknown')
      proceed()
      const runAgain = () => createWriteRunner({ store: keys, logger })(request, () => stampThree(bus))
      await expect.poll(() => getCode(runAgain())).toBeNull()
      expect(await runAgain()).toMatchObject({ isReplayed: true })
      expect(await count()).toBe(3)
    })
  })

  it('is certainly the first attempt only when its key is new', async () => {
    const start = async (request: KeyedRequest) => await keys.start(request, 1_000)
    const first = { status: 'started', isFirstAttempt: true, isRepetition: false }
    for (const ended of ['interrupted', 'refused'] as const) {
      const { keyed } = newRequest()
      expect(await start(keyed)).toMatchObject(first)
      await keys.end(keyed, ended)
      expect(await start(keyed)).toMatchObject({ status: 'started', isFirstAttempt: false })
    }
    const { keyed } = newRequest()
    expect(await start(keyed)).toMatchObject(first)
    now += 10_000
    expect(await start(keyed)).toMatchObject({ status: 'started', isFirstAttempt: false, isRepetition: true })
    now += 25 * 3_600_000
    expect(await start(keyed)).toMatchObject({ status: 'started', isFirstAttempt: false, isRepetition: false })
  })

  describe('on an EventStoreDB', () => {
    let server: WireServer
    let store: EventStoreDbStore
    let bus: CommandBus

    beforeAll(async () => {
      server = await startWireServer()
      store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
      bus = createCommandBus({ store, clock, waitUntilCaughtUp: async () => undefined })
      await store.append('earlier', 'no-stream', [newEvent()])
    })
    afterAll(async () => {
      await store.close()
      await server.stop()
    })

    /** Writes to two new streams, neither of which is read. */
    async function stampTwo(): Promise<string> {
      const ids = [createId('stamp'), createId('stamp')]
      for (const id of ids)
        await bus.execute(stamps, id, { type: 'Stamp', at: clock().toISOString() }, newContext(), { isNew: true })
      return JSON.stringify(ids)
    }
    async function run(request: WriteRequest, over: Partial<IdempotencyStore> = {}) {
      const before = server.calls.read
      const runWrite = createWriteRunner({ store: { ...keys, ...over }, logger })
      const { reply } = await runWrite(request, stampTwo)
      const written = (JSON.parse(reply) as string[]).map((id) => server.log.stream(`stamps-${id}`)?.length)
      return { written, reads: server.calls.read - before }
    }
    /** Keys of a process that is killed before it records the result. */
    const killed = { complete: () => Promise.reject(new Error('The process was killed')) }

    it('reads nothing back in its first attempt', async () => {
      expect(await run(newRequest())).toEqual({ written: [1, 1], reads: 0 })
      expect(await run({ ...newRequest(), keyed: null })).toEqual({ written: [1, 1], reads: 0 })
    })

    it('reads back what may have been written, and writes it once, when the first process was killed', async () => {
      const request = newRequest()
      await keys.start(request.keyed, 1_000)
      now += 10_000
      // Killed before the first append: the next attempt writes, and makes sure that it did.
      expect(await run(request, killed)).toEqual({ written: [1, 1], reads: 2 })
      now += 10 * 60_000
      // Killed afterwards: the next one finds both.
      const { written, reads } = await run(request)
      expect(written).toEqual([1, 1])
      expect(reads).toBeGreaterThan(2)
    })

    it('reads back what requests without a session write: nothing is stored of them', async () => {
      expect(await run({ ...newRequest(), isReplyKept: false })).toEqual({ written: [1, 1], reads: 2 })
    })
  })

  it('is answered before its result is saved, for which a repetition waits', async () => {
    const { promise: slow, resolve: proceed } = Promise.withResolvers<void>()
    const slowPool = Object.create(pool) as Pool
    slowPool.query = (async (query: { text: string }) => {
      if (query.text.startsWith('update')) await slow
      return await pool.query(query)
    }) as unknown as Pool['query']
    const store = createIdempotencyStore({ pool: slowPool, keyedHash: createKeyedHash('a key of the test'), clock })
    const runWrite = createWriteRunner({ store, logger })
    const { bus, count } = createUnreliableStore([])
    const request = newRequest()
    const first = await runWrite(request, () => stampThree(bus))
    const second = runWrite(request, () => stampThree(bus))
    const settled = store.settle()
    proceed()
    expect(await second).toEqual({ reply: first.reply, isReplayed: true })
    await settled
    expect(await count()).toBe(3)
  })

  it('keeps the refusal of a handler that has written', async () => {
    const { bus } = createUnreliableStore([])
    const runWrite = createWriteRunner({ store: keys, logger })
    const refuse = async () => {
      await stampThree(bus)
      throw new ProblemError(402, 'card-declined', 'The card was declined.')
    }
    expect(await getCode(runWrite(newRequest(), refuse))).toBe('card-declined')
    const fail = async () => {
      await stampThree(bus)
      throw new TypeError('a bug')
    }
    expect(await getCode(runWrite(newRequest(), fail))).toBe('outcome-unknown')
    const failBefore = () => Promise.reject(new TypeError('a bug'))
    expect(await getCode(runWrite(newRequest(), failBefore))).toBe('internal')
  })
})
