import type { ClientBase, Pool } from 'pg'
import { type ConstructorOptions, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss'
import type { Logger } from 'pino'
import { saveDeadLetter, deleteResolvedDeadLetters } from './dead-letters.ts'
import { readErrorKind, deadLetterQueue, queueOptions, useTransactionOf } from './queues.ts'
import { type AnyJob, NonRetryableError, type JobQueue, getErrorKind } from './job.ts'
import { syncSchedules } from './schedules.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

/** A job on its way into its queue, under an id that makes a repetition harmless. */
export type NewJob = { id: string; job: string; data: object; startAfter?: string | undefined }

/** The jobs of one copy of the app. */
export type JobEngine<Services> = JobQueue & {
  /** Puts jobs down within the caller's transaction. Throws when no module declares one, or its data is wrong. */
  enqueue(client: ClientBase, jobs: readonly NewJob[]): Promise<void>
  /** Starts the workers and the schedules. */
  startWorkers(services: Services): Promise<void>
  /** Takes no more jobs, tells those under way to end, and waits a moment for them. What did not end is tried again later. */
  drain(): Promise<void>
  stop(): Promise<void>
  isAlive(): Promise<boolean>
}

type Dependencies<Services> = {
  databaseUrl: string
  pool: Pool
  jobs: readonly AnyJob<Services>[]
  logger: Logger
  /** Nobody else can be at work on this database, as on the embedded one, whose folder is locked. */
  isExclusive?: boolean
}

/** A claim nobody renews for this long is taken from whoever has it. */
const heartbeatSeconds = 15
const superviseIntervalSeconds = 5
const pollIntervalSeconds = 2
const drainTimeoutMs = 1_500
const queryTimeoutMs = 15_000

const workOptions = {
  pollingIntervalSeconds: pollIntervalSeconds,
  notifyPollingIntervalSeconds: pollIntervalSeconds,
  includeMetadata: true,
  perJobResults: true,
} as const

/** Opens the queues of an installation; nothing runs before `work`. */
export async function openJobEngine<Services>(parts: Dependencies<Services>): Promise<JobEngine<Services>> {
  const { databaseUrl, pool, logger } = parts
  const kinds = new Map(parts.jobs.map((kind) => [kind.name, kind]))
  if (kinds.size < parts.jobs.length) throw new Error('Two modules declare a job of one name')
  const stopping = new AbortController()
  const settings: ConstructorOptions & { query_timeout: number } = {
    connectionString: databaseUrl,
    max: 4,
    schema: 'jobs',
    useListenNotify: true,
    superviseIntervalSeconds: superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    // Handed on to the driver: a connection that swallows everything is thrown away.
    query_timeout: queryTimeoutMs,
  }
  const boss = new PgBoss(settings)
  // Only its kind: the text of a database error can quote a row.
  boss.on('error', (error) => logger.warn({ kind: getErrorKind(error) }, 'job queue'))
  await boss.start()

  const known = (name: string) => {
    const kind = kinds.get(name)
    if (!kind) throw new Error(`No module declares a job ${name}`)
    return kind
  }

  async function prepare(name: string, options: Omit<Queue, 'name'>): Promise<void> {
    await boss.createQueue(name, options)
    // One that was there before takes what holds today.
    await boss.updateQueue(name, options)
  }

  async function makeQueues(): Promise<void> {
    await prepare(deadLetterQueue, queueOptions.deadLetter)
    for (const kind of kinds.values()) await prepare(kind.name, { ...queueOptions.job(kind), heartbeatSeconds })
  }

  async function enqueue(client: ClientBase, jobs: readonly NewJob[]): Promise<void> {
    const checked = jobs.map((job) => ({ ...job, data: known(job.job).data.parse(job.data) as object }))
    for (const [name, some] of Map.groupBy(checked, ({ job }) => job))
      await boss.insert(
        name,
        some.map(({ id, data, startAfter }) => ({ id, data, ...(startAfter === undefined ? {} : { startAfter }) })),
        useTransactionOf(client),
      )
  }

  /** One try of one job, and what comes of it. */
  async function attempt(services: Services, kind: AnyJob<Services>, job: JobWithMetadata<object>) {
    const { id, data, retryCount } = job
    const signal = AbortSignal.any([job.signal, stopping.signal])
    try {
      stopping.signal.throwIfAborted()
      const parsed = kind.data.safeParse(data)
      if (!parsed.success) throw new NonRetryableError('data')
      await kind.run(services, parsed.data as never, { id, signal, attempt: retryCount + 1 })
      await deleteResolvedDeadLetters(pool, kind.name, data).catch(() => undefined)
      return { id, status: 'completed' as const, output: {} }
    } catch (error) {
      // Being told to end is no failure: the next copy takes it as it was.
      if (stopping.signal.aborted && (await giveBack(kind.name, job))) return { id, status: 'completed' as const }
      const output = { kind: getErrorKind(error) }
      logger.error({ job: kind.name, jobId: id, attempt: retryCount + 1, ...output }, 'a job failed')
      return { id, status: error instanceof NonRetryableError ? ('deadletter' as const) : ('failed' as const), output }
    }
  }

  /** Puts a job back as if this try had not been; false when it is no longer ours. */
  async function giveBack(name: string, { id, retryCount }: JobWithMetadata<object>): Promise<boolean> {
    const back = await pool
      .query(
        `update jobs.job set state = case retry_count when 0 then 'created' else 'retry' end::jobs.job_state,
           started_on = null, heartbeat_on = null, start_after = now()
         where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
        [name, id, retryCount],
      )
      .catch(() => null)
    return back?.rowCount === 1
  }

  /** A job that is out of tries: it is written down for people to decide, and what follows from it is done. */
  async function takeUp(services: Services, job: JobWithMetadata<object>) {
    const { id, sourceName, sourceId, sourceOutput } = job
    try {
      if (sourceName === null || sourceId === null) return { id, status: 'completed' as const }
      if (!(await saveDeadLetter(pool, job))) return { id, status: 'completed' as const }
      const kind = kinds.get(sourceName)
      const parsed = kind?.data.safeParse(job.data)
      const error = readErrorKind(sourceOutput)
      logger.error({ job: sourceName, jobId: sourceId, error }, 'a job was given up')
      if (kind?.onDeadLetter && parsed?.success)
        await kind.onDeadLetter(services, parsed.data as never, { id: sourceId, error })
      return { id, status: 'completed' as const }
    } catch (error) {
      if (stopping.signal.aborted && (await giveBack(deadLetterQueue, job))) return { id, status: 'completed' as const }
      return { id, status: 'failed' as const, output: { kind: getErrorKind(error) } }
    }
  }

  /**
   * Jobs under way when nobody but us can be at work belong to a process that was killed. They are taken up at once,
   * not when their claim has grown old; the try that broke off counts, and the last one is left to those who give up.
   */
  async function takeUpWhatWasLeft(): Promise<void> {
    const { rowCount } = await pool.query(
      `update jobs.job set state = 'retry', heartbeat_on = null, start_after = now()
       where state = 'active' and started_on is not null and retry_count < retry_limit and name = any($1)`,
      [[...kinds.keys(), deadLetterQueue]],
    )
    if (rowCount) logger.info({ jobs: rowCount }, 'jobs of a process that was killed are taken up again')
  }

  type Outcome = Awaited<ReturnType<typeof attempt> | ReturnType<typeof takeUp>>

  /** One job at a time, and the next one right after it: what waits does not wait for a poll. */
  async function startWorker(queue: string, run: (job: JobWithMetadata<object>) => Promise<Outcome>): Promise<void> {
    const id = await boss.work<object, Outcome, typeof workOptions>(queue, workOptions, async (jobs) => {
      const outcomes = await Promise.all(jobs.map(run))
      boss.notifyWorker(id)
      return outcomes
    })
  }

  await makeQueues()
  return {
    enqueue,
    async send(name, data, { id, delaySeconds } = {}) {
      const checked = known(name).data.parse(data) as object
      await boss.send(name, checked, { ...(id ? { id } : {}), ...(delaySeconds ? { startAfter: delaySeconds } : {}) })
    },
    async startWorkers(services) {
      if (parts.isExclusive) await takeUpWhatWasLeft()
      for (const kind of kinds.values())
        for (let worker = 0; worker < (kind.concurrency ?? 2); worker++)
          await startWorker(kind.name, (job) => attempt(services, kind, job))
      await startWorker(deadLetterQueue, (job) => takeUp(services, job))
      await syncSchedules(boss, [...kinds.values()])
    },
    async drain() {
      stopping.abort()
      const names = [...kinds.keys(), deadLetterQueue]
      const resting = Promise.allSettled(names.map((name) => boss.offWork(name, { wait: true })))
      await withTimeout(resting, drainTimeoutMs, () => undefined)
    },
    stop: () => boss.stop({ graceful: true, timeout: 1_000 }),
    isAlive: () => boss.isInstalled(),
  }
}
