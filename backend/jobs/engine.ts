import type { ClientBase, Pool } from 'pg'
import { type ConstructorOptions, PgBoss, type Queue } from 'pg-boss'
import type { Logger } from 'pino'
import { attemptJobs, handleDeadLetter } from './attempt.ts'
import type { AnyJob, JobQueue } from './job.ts'
import { type Crew, type CrewPlan, createCrew } from './crew.ts'
import { hasNeglectedQueue, watchDueJobs } from './due-jobs.ts'
import { createOutageGuard } from './outage-guard.ts'
import { createJobIndexes, requeueOrphanedJobs } from './job-table.ts'
import { deadLetterQueue, queueOptions, useTransactionOf } from './queues.ts'
import { syncSchedules } from './schedules.ts'
import { withSessionSettings } from '#database/session-settings.ts'
import { getErrorKind } from '#runtime/error-kind.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

/** A job to enqueue. Its id makes a repetition harmless; one with a higher `priority` starts first. */
export type NewJob = {
  id: string
  job: string
  data: object
  startAfter?: string | undefined
  priority?: number | undefined
}

/** The job queues and workers of one instance. */
export type JobEngine<Services> = JobQueue & {
  /** Enqueues jobs within the caller's transaction. Throws for a job that no module declares, and for invalid data. */
  enqueue(client: ClientBase, jobs: readonly NewJob[]): Promise<void>
  /** Starts the workers and the schedules. */
  startWorkers(services: Services): Promise<void>
  /**
   * Takes no more jobs, aborts the running ones and waits briefly for them. What did not end is attempted again later.
   */
  drain(): Promise<void>
  stop(): Promise<void>
  /** Returns whether there are queues, and jobs that are due are taken. */
  isAlive(): Promise<boolean>
}

type Dependencies<Services> = {
  databaseUrl: string
  pool: Pool
  jobs: readonly AnyJob<Services>[]
  logger: Logger
  /** Returns whether the database and the event store respond: jobs pause while they do not. Never rejects. */
  isAvailable: () => Promise<boolean>
  /** No other process can run jobs on this database, as on the embedded one, whose folder is locked. */
  isExclusive?: boolean
}

/** A claim that is not renewed for this long is released. */
const heartbeatSeconds = 15
const superviseIntervalSeconds = 5
/** The interval at which a paused instance checks whether the outage is over. */
const outageCheckIntervalMs = 2_000
const defaultConcurrency = 2
const drainTimeoutMs = 1_500
const queryTimeoutMs = 15_000

/** Opens the job queues of an installation. No job runs before `startWorkers`. */
export async function openJobEngine<Services>({
  databaseUrl,
  pool,
  jobs,
  logger,
  isAvailable,
  isExclusive = false,
}: Dependencies<Services>): Promise<JobEngine<Services>> {
  const definitions = new Map(jobs.map((job) => [job.name, job]))
  if (definitions.size < jobs.length) throw new Error('Two modules declare a job of the same name')
  const queues = [...definitions.keys(), deadLetterQueue]
  const stopping = new AbortController()
  const boss = createPgBoss(databaseUrl)
  let runWorkers = () => Promise.resolve()
  let stopWatching = () => undefined as void
  const crews = new Map<string, Crew>()
  const pauseWorkers = async () =>
    void (await Promise.allSettled(queues.map((queue) => boss.offWork(queue, { wait: false }))))
  const guard = createOutageGuard({
    isAvailable,
    pauseWorkers,
    resumeWorkers: () => runWorkers(),
    logger,
    checkIntervalMs: outageCheckIntervalMs,
  })
  boss.on('error', (error) => void reportQueueError(error))
  await boss.start()
  await createJobIndexes(pool)
  await createQueues(boss, jobs)

  /** Logs only the kind: the message of a database error can quote a row. During an outage every poll fails. */
  async function reportQueueError(error: Error): Promise<void> {
    if (!guard.isPaused() && !(await guard.isOutage())) logger.warn({ kind: getErrorKind(error) }, 'job queue error')
  }

  /** Returns the data as the job's schema parses it. */
  function parseData(name: string, data: object): object {
    const definition = definitions.get(name)
    if (!definition) throw new Error(`No module declares a job ${name}`)
    return definition.data.parse(data) as object
  }

  /** Replaces the workers of a queue. */
  async function startCrew(queue: string, plan: CrewPlan) {
    const crew = createCrew({
      ...plan,
      boss,
      queue,
      mayGrow: () => crews.get(queue) === crew && !guard.isPaused() && !stopping.signal.aborted,
    })
    crews.set(queue, crew)
    await crew.start()
  }

  /** Wakes the workers of a queue that notifies none. Jobs that are not committed by then are found half a second later. */
  const announce = (name: string) => {
    if (definitions.get(name)?.isGathered) crews.get(name)?.announce()
  }

  return {
    async enqueue(client, newJobs) {
      const parsed = newJobs.map((job) => ({ ...job, data: parseData(job.job, job.data) }))
      for (const [name, group] of Map.groupBy(parsed, ({ job }) => job)) {
        await boss.insert(
          name,
          group.map(({ id, data, startAfter, priority = 0 }) => ({
            id,
            data,
            priority,
            ...(startAfter === undefined ? {} : { startAfter }),
          })),
          useTransactionOf(client),
        )
        announce(name)
      }
    },
    async send(name, data, { id, delaySeconds } = {}) {
      const options = { ...(id ? { id } : {}), ...(delaySeconds ? { startAfter: delaySeconds } : {}) }
      await boss.send(name, parseData(name, data), options)
      announce(name)
    },
    async startWorkers(services) {
      if (isExclusive) {
        const requeued = await requeueOrphanedJobs(pool, queues)
        if (requeued > 0) logger.info({ jobs: requeued }, 'orphaned jobs requeued')
      }
      const context = { services, pool, logger, stopping: stopping.signal, isOutage: guard.isOutage }
      runWorkers = async () => {
        for (const job of jobs)
          await startCrew(job.name, {
            size: job.concurrency ?? defaultConcurrency,
            batchSize: job.batchSize ?? 1,
            isGathered: job.isGathered ?? false,
            run: (jobs) => attemptJobs(context, job, jobs),
          })
        await startCrew(deadLetterQueue, {
          size: 1,
          batchSize: 1,
          run: (letters) => Promise.all(letters.map((letter) => handleDeadLetter(context, definitions, letter))),
        })
        // A pause in the meantime has missed the workers that were started after it.
        if (guard.isPaused()) await pauseWorkers()
      }
      await runWorkers()
      stopWatching = watchDueJobs({
        pool,
        queues,
        isPaused: guard.isPaused,
        onDue: (queue) => crews.get(queue)?.wake(),
        onError: (error) => void reportQueueError(error),
      })
      await syncSchedules(boss, jobs)
    },
    async drain() {
      stopping.abort()
      guard.stop()
      stopWatching()
      const drained = Promise.allSettled(queues.map((queue) => boss.offWork(queue, { wait: true })))
      await withTimeout(drained, drainTimeoutMs, () => undefined)
    },
    stop: () => boss.stop({ graceful: true, timeout: 1_000 }),
    isAlive: async () => (await boss.isInstalled()) && !(await hasNeglectedQueue(pool, queues)),
  }
}

function createPgBoss(connectionString: string): PgBoss {
  const settings: ConstructorOptions & { query_timeout: number } = {
    connectionString: withSessionSettings(connectionString),
    max: 2,
    schema: 'jobs',
    useListenNotify: true,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    // Passed on to the driver: a connection on which nothing arrives is discarded.
    query_timeout: queryTimeoutMs,
  }
  return new PgBoss(settings)
}

/** Creates the queues. Existing ones get the current options. */
async function createQueues<Services>(boss: PgBoss, jobs: readonly AnyJob<Services>[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  async function createOrUpdate(name: string, options: Omit<Queue, 'name'>): Promise<void> {
    const queue = existing.get(name)
    if (queue && hasOptions(queue, options)) return
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
  }
  await createOrUpdate(deadLetterQueue, queueOptions.deadLetter)
  for (const job of jobs) await createOrUpdate(job.name, { ...queueOptions.job(job), heartbeatSeconds })
}

function hasOptions(queue: Queue, options: Omit<Queue, 'name'>): boolean {
  const current = new Map(Object.entries(queue))
  return Object.entries(options).every(([name, value]) => current.get(name) === value)
}
