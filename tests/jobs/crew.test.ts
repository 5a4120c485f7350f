import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { createCrew } from '#jobs/crew.ts'

type Boss = Pick<PgBoss, 'work' | 'offWork' | 'notifyWorker'>
type Handler = (jobs: readonly JobWithMetadata<object>[]) => Promise<unknown>

const size = 3
const batchSize = 2
const jobs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index) }) as JobWithMetadata<object>)

/**
 * The workers that pg-boss has for a queue, in memory: as there, one that is ended still runs the jobs that it is fetching. They take
 * what the test gives them.
 */
function createWorkers() {
  const handlers = new Map<string, Handler>()
  const working = new Set<string>()
  const lookedAt: number[] = []
  const boss = {
    work: (_queue: string, _options: object, handler: Handler) => {
      const id = `worker ${handlers.size}`
      handlers.set(id, handler)
      working.add(id)
      return Promise.resolve(id)
    },
    offWork: (_queue: string, { id }: { id: string }) => {
      working.delete(id)
      return Promise.resolve()
    },
    notifyWorker: () => void lookedAt.push(performance.now()),
  }
  return { boss: boss as unknown as Boss, handlers, working, lookedAt }
}

/** Resolves when what has begun in memory has ended. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('a queue has a worker, whichever find jobs at the same time', async () => {
  const finds = fc.array(
    fc.array(fc.record({ worker: fc.nat(), count: fc.integer({ min: 1, max: batchSize }) }), {
      minLength: 1,
      maxLength: size,
    }),
    { maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(finds, async (rounds) => {
      const { boss, handlers, working } = createWorkers()
      const run = () => Promise.resolve([])
      const crew = createCrew({ boss, queue: 'q', size, batchSize, run, mayGrow: () => true, quietMs: -1 })
      await crew.start()
      for (const round of rounds) {
        // Those that fetch at this moment, also if another one ends them before they have fetched.
        const fetching = [...working]
        await Promise.all(
          round.map(({ worker, count }) => handlers.get(fetching[worker % fetching.length] ?? '')?.(jobs(count))),
        )
        await settle()
        expect(working.size).toBeGreaterThan(0)
        expect(working.size).toBeLessThanOrEqual(size)
      }
    }),
  )
})

it('a full batch starts the other workers, and one that is not ends them after a while', async () => {
  const { boss, handlers, working } = createWorkers()
  const run = () => Promise.resolve([])
  const crew = createCrew({ boss, queue: 'q', size, batchSize, run, mayGrow: () => true, quietMs: -1 })
  await crew.start()
  expect([...working]).toEqual(['worker 0'])
  await handlers.get('worker 0')?.(jobs(batchSize))
  await settle()
  expect([...working]).toEqual(['worker 0', 'worker 1', 'worker 2'])
  await handlers.get('worker 1')?.(jobs(1))
  expect([...working]).toEqual(['worker 1'])
  // It was fetching when it was ended.
  await handlers.get('worker 2')?.(jobs(1))
  expect([...working]).toEqual(['worker 1'])
})

it('announced jobs are looked for soon, and together when they are many', async () => {
  vi.useFakeTimers()
  try {
    const { boss, lookedAt } = createWorkers()
    const run = () => Promise.resolve([])
    const crew = createCrew({ boss, queue: 'q', size, batchSize, run, mayGrow: () => true, isGathered: true })
    await crew.start()
    const startedAt = performance.now()
    for (let count = 0; count < 100; count++) {
      crew.announce()
      await vi.advanceTimersByTimeAsync(20)
    }
    // The last ones were announced after two seconds.
    await vi.advanceTimersByTimeAsync(500)
    expect(lookedAt.map((at) => Math.round(at - startedAt))).toEqual([25, 525, 1_025, 1_525, 2_025])
  } finally {
    vi.useRealTimers()
  }
})
