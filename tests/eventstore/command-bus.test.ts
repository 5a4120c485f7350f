import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CommandContext } from '#eventstore/command.ts'
import { type CommandBus, createCommandBus } from '#eventstore/command-bus.ts'
import { ConcurrencyError, CommandRejected, RetriesExhausted, AppendTooLarge } from '#eventstore/command-errors.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { event } from '#eventstore/event.ts'
import { type AppendOptions, type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { createRequestScope, runInRequest } from '#eventstore/request-scope.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { startDeadline } from '#runtime/deadline.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'

const Counted = event('Counted', { by: z.number().int() })
type Counted = z.infer<typeof Counted>
type Count = { type: 'Count'; by: number }

/** A decider that counts up to ten. */
const counter: Decider<Count, Counted, number, 'too-much'> = {
  category: 'counter',
  events: Counted,
  initial: 0,
  decide: ({ by }, total) => {
    if (total + by > 10) return reject('too-much', 'Ten is enough')
    return by === 0 ? [] : [{ type: 'Counted', data: { by } }]
  },
  evolve: (total, { data }) => total + data.by,
}

const context: CommandContext = {
  practiceId: randomUUID(),
  actor: { kind: 'process', name: 'test' },
  correlationId: randomUUID(),
}

describe('the command bus', () => {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  let bus: CommandBus
  const waits: [readonly string[], string][] = []
  const at = new Date('2026-11-20T08:00:00.000Z')

  const createBusWith = (over: Partial<EventStore>) =>
    createCommandBus({ store: { ...store, ...over }, clock: () => at, waitUntilCaughtUp: async () => undefined })

  beforeAll(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 10)
    store = await openPostgresStore(pool)
    bus = createCommandBus({
      store,
      clock: () => at,
      waitUntilCaughtUp: async (types, position) => void waits.push([types, position]),
    })
  })
  afterAll(async () => {
    await store.close()
    await pool.end()
    await database.drop()
  })

  it('writes decided events with metadata that it fills in', async () => {
    const id = randomUUID()
    const done = await bus.execute(counter, id, { type: 'Count', by: 3 }, context)
    expect(done).toMatchObject({ state: 3, revision: 0n, events: [{ type: 'Counted', data: { by: 3 } }] })
    const [written] = await readStream(store, `counter-${id}`)
    expect(written).toMatchObject({
      data: { by: 3 },
      metadata: {
        ...context,
        causationId: context.correlationId,
        at: at.toISOString(),
        schemaVersion: 1,
        sample: false,
      },
    })
    expect(waits.at(-1)).toEqual([['Counted'], done.position])
  })

  it('throws a rejection and writes nothing', async () => {
    const id = randomUUID()
    const refused = bus.execute(counter, id, { type: 'Count', by: 11 }, context)
    await expect(refused).rejects.toThrow(CommandRejected)
    await expect(refused).rejects.toMatchObject({ rejection: { rejected: 'too-much', message: 'Ten is enough' } })
    expect(await readStream(store, `counter-${id}`)).toEqual([])
  })

  it('waits for the read models of an earlier execution too, which may have written a moment ago', async () => {
    const id = randomUUID()
    const idempotencyKey = randomUUID()
    const count = () => bus.execute(counter, id, { type: 'Count', by: 1 }, context, { idempotencyKey })
    const first = await count()
    waits.length = 0
    expect(await count()).toMatchObject({ events: [], position: first.position })
    expect(waits).toEqual([[['Counted'], first.position]])
  })

  it('writes nothing when nothing changes', async () => {
    expect(await bus.execute(counter, randomUUID(), { type: 'Count', by: 0 }, context)).toMatchObject({
      revision: 'no-stream',
      position: null,
    })
  })

  it('refuses decided events that do not match their schema', async () => {
    await expect(bus.execute(counter, randomUUID(), { type: 'Count', by: 1.5 }, context)).rejects.toThrow(z.ZodError)
  })

  it('decides again after a conflict, so that the limit of ten holds', async () => {
    const id = randomUUID()
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => bus.execute(counter, id, { type: 'Count', by: 3 }, context)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await bus.load(counter, id)).state).toBe(9)
  })

  it('lets any number of simultaneous commands for one stream succeed', async () => {
    const id = randomUUID()
    await Promise.all(Array.from({ length: 10 }, () => bus.execute(counter, id, { type: 'Count', by: 1 }, context)))
    expect((await bus.load(counter, id)).state).toBe(10)
  })

  it('gives up after three retries', async () => {
    let calls = 0
    const busy = createBusWith({
      append: async () => {
        calls++
        return { status: 'conflict', actual: 7n }
      },
    })
    await expect(busy.execute(counter, randomUUID(), { type: 'Count', by: 1 }, context)).rejects.toThrow(
      RetriesExhausted,
    )
    expect(calls).toBe(4)
  })

  it('returns the conflicting events for an outdated expected revision', async () => {
    const id = randomUUID()
    for (const by of [1, 2, 3]) await bus.execute(counter, id, { type: 'Count', by }, context)
    const stale = bus.execute(counter, id, { type: 'Count', by: 1 }, context, { expectedRevision: 0n })
    await expect(stale).rejects.toThrow(ConcurrencyError)
    await expect(stale).rejects.toMatchObject({ conflictingEvents: [{ data: { by: 2 } }, { data: { by: 3 } }] })
    expect((await bus.execute(counter, id, { type: 'Count', by: 1 }, context, { expectedRevision: 2n })).state).toBe(7)
  })

  it('retries after a lost reply with the same ids and writes once', async () => {
    let lost = true
    const id = randomUUID()
    const forgetful = createBusWith({
      async append(...args) {
        const outcome = await store.append(...args)
        if (lost) {
          lost = false
          throw new StoreUnavailable('the answer was lost')
        }
        return outcome
      },
    })
    expect(await forgetful.execute(counter, id, { type: 'Count', by: 4 }, context)).toMatchObject({
      state: 4,
      revision: 0n,
    })
    expect(await readStream(store, `counter-${id}`)).toHaveLength(1)
  })

  it('writes a command with an idempotency key once, whichever process repeats it', async () => {
    const id = randomUUID()
    const first = createBusWith({})
    await first.execute(counter, id, { type: 'Count', by: 4 }, context, { idempotencyKey: 'job-1' })
    const [written] = await readStream(store, `counter-${id}`)
    const repeated = await store.append(`counter-${id}`, 'no-stream', [
      newEvent('Counted', { by: 4 }, { id: written?.id ?? '' }),
    ])
    expect(repeated.status).toBe('already-appended')
    await first.execute(counter, id, { type: 'Count', by: 1 }, context)
    const again = await first.execute(counter, id, { type: 'Count', by: 4 }, context, { idempotencyKey: 'job-1' })
    expect(again).toMatchObject({ state: 5, events: [], revision: 1n, position: written?.position })
  })

  describe('in the first attempt at a request', () => {
    const seen: (AppendOptions | undefined)[] = []
    const isCertain = () => seen.splice(0).map((options) => options?.isFirstAttempt?.() ?? false)
    const record = createBusWithRecord()
    const deadline = startDeadline(60_000)
    const request = { intentId: 'an intent', isRepetition: false, isFirstAttempt: true, deadline }

    function createBusWithRecord(failures = 0) {
      let left = failures
      return (over: Partial<EventStore> = {}) =>
        createBusWith({
          async append(...append) {
            seen.push(append[3])
            const appended = await (over.append ?? store.append)(...append)
            if (left > 0 && left--) throw new StoreUnavailable('no reply')
            return appended
          },
        })
    }
    const count = (used: CommandBus, options = {}, id: string = randomUUID()) =>
      used.execute(counter, id, { type: 'Count', by: 1 }, context, options)
    const inRequest = <Result>(over: object, run: () => Promise<Result>) =>
      runInRequest(createRequestScope({ ...request, ...over }), run)

    it('tells the store so with every append, also after a conflict', async () => {
      const used = record()
      const id = randomUUID()
      await inRequest({}, async () => {
        await count(used, {}, id)
        await count(used, {}, id)
      })
      expect(isCertain()).toEqual([true, true])
      // Decided on an empty stream, which is not empty any more.
      await inRequest({ intentId: 'another intent' }, () => count(used, { isNew: true }, id))
      expect(isCertain()).toEqual([true, true])
    })

    it('does not do so when the outcome of an append is unknown', async () => {
      await inRequest({ intentId: 'a lost reply' }, () => count(createBusWithRecord(1)()))
      expect(isCertain()).toEqual([true, false])
    })

    it('does not do so for ids that others can derive, in later attempts, and outside of requests', async () => {
      const used = record()
      await inRequest({}, () => count(used, { idempotencyKey: randomUUID() }))
      await inRequest({ isFirstAttempt: false }, () => count(used))
      await inRequest({ deadline: startDeadline(0) }, () => count(used))
      await count(used)
      expect(isCertain()).toEqual([false, false, false, false])
    })
  })

  it('throws when one command writes more than the store accepts', async () => {
    const full = createBusWith({ append: async () => ({ status: 'too-large' }) })
    await expect(full.execute(counter, randomUUID(), { type: 'Count', by: 1 }, context)).rejects.toThrow(AppendTooLarge)
  })
})
