import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'

/** The workers of one queue in this process. */
export type Crew = {
  /** Starts the first worker. The others are started when it finds a job. */
  start(): Promise<void>
  /** Makes the workers look for jobs. */
  wake(): void
  /** Makes the workers look for jobs soon, and at most twice a second however often this is called. */
  announce(): void
}

/** The work of a queue. */
export type CrewPlan = {
  /** The number of workers. */
  size: number
  /** The number of jobs that a worker takes at once. */
  batchSize: number
  run: (jobs: readonly JobWithMetadata<object>[]) => Promise<JobResult[]>
  /** The queue does not notify the workers of new jobs. */
  isGathered?: boolean
}

type Dependencies = CrewPlan & {
  boss: Pick<PgBoss, 'work' | 'offWork' | 'notifyWorker'>
  queue: string
  /** Returns whether another worker may start: the queue is neither paused nor stopped, and no other crew has replaced this one. */
  mayGrow: () => boolean
  /** Milliseconds without a full batch after which the other workers end. */
  quietMs?: number
}

/** The interval at which workers poll in case a notification was lost. */
const notifyPollingIntervalSeconds = 30

const workOptions = {
  /** The interval while the queue cannot notify them. */
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds,
  includeMetadata: true,
  perJobResults: true,
} as const

/** Milliseconds until announced jobs are looked for: by then, the transaction that enqueues them has usually committed. */
const announcedMs = 25
/** Milliseconds between two such looks. */
const gatheringMs = 500

/** Milliseconds without a full batch after which the other workers are not needed: each job would wake all of them in vain. */
const defaultQuietMs = 60_000

/**
 * Creates the workers of a queue. Each takes one batch of jobs at a time, and the next one at once instead of at the next poll. Most
 * queues are empty most of the time, so only the first worker starts with the instance: when it finds a full batch, there may be
 * more, and it starts or wakes the others. They end when no batch has been full for a minute.
 */
export function createCrew({
  boss,
  queue,
  size,
  batchSize,
  run,
  mayGrow,
  isGathered = false,
  quietMs = defaultQuietMs,
}: Dependencies): Crew {
  const ids: string[] = []
  let isGrowing = false
  let lastFullAt = 0
  let lastAnnouncedAt = -gatheringMs
  let announcement: NodeJS.Timeout | undefined

  async function addWorker(): Promise<string> {
    const options = {
      ...workOptions,
      ...(isGathered ? { pollingIntervalSeconds: notifyPollingIntervalSeconds } : {}),
      batchSize,
    }
    const id = await boss.work<object, JobResult, typeof options>(queue, options, async (jobs) => {
      if (jobs.length < batchSize) {
        if (performance.now() - lastFullAt > quietMs) shrink(id)
        return await run(jobs)
      }
      lastFullAt = performance.now()
      for (const other of ids) if (other !== id) boss.notifyWorker(other)
      void grow()
      const results = await run(jobs)
      boss.notifyWorker(id)
      return results
    })
    ids.push(id)
    return id
  }

  /** Starts the other workers. */
  async function grow(): Promise<void> {
    if (isGrowing) return
    isGrowing = true
    try {
      while (ids.length < size && mayGrow()) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const id = await addWorker()
        // A pause or stop in the meantime has missed it.
        // oxlint-disable-next-line no-await-in-loop
        if (!mayGrow()) await boss.offWork(queue, { id, wait: false })
      }
    } catch {
      // The queue does not respond: the next job tries again.
    } finally {
      isGrowing = false
    }
  }

  /** Ends all workers but one, unless another one has ended that one: two that find a job at the same time would end each other. */
  function shrink(kept: string): void {
    if (isGrowing || !ids.includes(kept)) return
    for (const id of ids.splice(0))
      if (id !== kept) void boss.offWork(queue, { id, wait: false }).catch(() => undefined)
    ids.push(kept)
  }

  const wake = () => ids.forEach((id) => boss.notifyWorker(id))

  return {
    start: async () => void (await addWorker()),
    wake,
    announce() {
      if (announcement) return
      const waitMs = Math.max(announcedMs, lastAnnouncedAt + gatheringMs - performance.now())
      announcement = setTimeout(() => {
        announcement = undefined
        lastAnnouncedAt = performance.now()
        wake()
      }, waitMs).unref()
    },
  }
}
