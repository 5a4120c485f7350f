import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countDeadLetters } from '#jobs/dead-letters.ts'
import { type Job, NonRetryableError } from '#jobs/job.ts'
import { createOutageGuard } from '#jobs/outage-guard.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/jobs-fixture.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const silent = pino({ level: 'silent' })

describe('jobs during an outage of the event store', () => {
  let fixture: JobsFixture
  beforeEach(async () => (fixture = await createJobsFixture()))
  afterEach(() => fixture.dispose())

  /** Collects the messages of the log. */
  function createMessageLog() {
    const messages: string[] = []
    const logger = pino(
      { level: 'info' },
      { write: (line) => void messages.push((JSON.parse(line) as { msg: string }).msg) },
    )
    return { messages, logger }
  }

  itLong('wait for its end, lose no attempt, and are reported once', async () => {
    let isUp = false
    const done: string[] = []
    const job: Job<null, { n: string }> = {
      name: 'writing',
      data: z.strictObject({ n: z.string() }),
      retry: { limit: 0 },
      // The first ones fail while others are being started, and a returned job is claimed again at once.
      concurrency: 30,
      async run(_, { n }) {
        if (!isUp) throw new Error('The event store does not respond')
        done.push(n)
      },
    }
    const { messages, logger } = createMessageLog()
    const jobs = await fixture.openJobs([job], { logger, isAvailable: () => Promise.resolve(isUp) })
    for (const n of ['1', '2', '3', '4', '5']) await jobs.send('writing', { n })
    await jobs.startWorkers(null)
    await waitUntil(() => messages.length > 0)
    const isWaiting = ({ state, retryCount }: { state: string; retryCount: number }) =>
      state === 'created' && retryCount === 0
    await waitUntil(async () => (await fixture.listJobs('writing')).every(isWaiting))
    isUp = true
    await waitUntil(() => done.length === 5)
    expect(done.toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(await countDeadLetters(fixture.pool)).toBe(0)
    expect(messages).toEqual([
      'job queues paused: the database or the event store is unavailable',
      'job queues resumed',
    ])
  })

  itLong('become dead letters when they can never succeed or fail for another reason', async () => {
    let isUp = false
    const run = async (_: null, { isHopeless }: { isHopeless: boolean }) => {
      if (isHopeless) throw new NonRetryableError('gone')
      isUp = true
      throw new Error('not because of the outage')
    }
    const data = z.strictObject({ isHopeless: z.boolean() })
    const job: Job<null, { isHopeless: boolean }> = { name: 'failing', data, retry: { limit: 0 }, run }
    const jobs = await fixture.openJobs([job], { isAvailable: () => Promise.resolve(isUp) })
    await jobs.startWorkers(null)
    await jobs.send('failing', { isHopeless: true })
    await expect.poll(() => countDeadLetters(fixture.pool)).toBe(1)
    await jobs.send('failing', { isHopeless: false })
    await expect.poll(() => countDeadLetters(fixture.pool)).toBe(2)
  })
})

describe('the outage guard', () => {
  it('pauses once however many attempts fail, checks until the outage is over, and resumes once', async () => {
    let isUp = true
    let checks = 0
    const calls: string[] = []
    const guard = createOutageGuard({
      isAvailable: () => Promise.resolve((checks++, isUp)),
      pauseWorkers: async () => void calls.push('pause'),
      resumeWorkers: async () => void calls.push('resume'),
      logger: silent,
      checkIntervalMs: 1,
    })
    expect(await guard.isOutage()).toBe(false)
    isUp = false
    expect(await Promise.all([guard.isOutage(), guard.isOutage(), guard.isOutage()])).toEqual([true, true, true])
    const before = checks
    await waitUntil(() => checks > before + 3)
    expect(calls).toEqual(['pause'])
    expect(guard.isPaused()).toBe(true)
    isUp = true
    await waitUntil(() => calls.length === 2)
    expect(calls).toEqual(['pause', 'resume'])
    expect(guard.isPaused()).toBe(false)
    guard.stop()
  })

  it('pauses again when the workers cannot be resumed', async () => {
    const calls: string[] = []
    let isUp = false
    const guard = createOutageGuard({
      isAvailable: () => Promise.resolve(isUp),
      pauseWorkers: async () => void calls.push('pause'),
      async resumeWorkers() {
        calls.push('resume')
        if (calls.length < 4) throw new Error('gone again')
      },
      logger: silent,
      checkIntervalMs: 1,
    })
    await guard.isOutage()
    isUp = true
    await waitUntil(() => calls.length === 4)
    expect(calls).toEqual(['pause', 'resume', 'pause', 'resume'])
    guard.stop()
  })

  it('does nothing after it was stopped', async () => {
    const calls: string[] = []
    const guard = createOutageGuard({
      isAvailable: () => Promise.resolve(false),
      pauseWorkers: async () => void calls.push('pause'),
      resumeWorkers: async () => void calls.push('resume'),
      logger: silent,
      checkIntervalMs: 1,
    })
    guard.stop()
    expect(await guard.isOutage()).toBe(false)
    expect(calls).toEqual([])
  })
})
