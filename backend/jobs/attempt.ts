import type { Pool } from 'pg'
import type { JobResult, JobWithMetadata } from 'pg-boss'
import type { Logger } from 'pino'
import { deleteResolvedDeadLetters, saveDeadLetter } from './dead-letters.ts'
import { getErrorKind } from '#runtime/error-kind.ts'
import { type AnyJob, NonRetryableError } from './job.ts'
import { returnToQueue } from './job-table.ts'
import type { OutageGuard } from './outage-guard.ts'
import { deadLetterQueue, readErrorKind } from './queues.ts'

type Context<Services> = {
  services: Services
  pool: Pool
  logger: Logger
  /** Aborted when the process is about to stop. */
  stopping: AbortSignal
  isOutage: OutageGuard['isOutage']
}

/** Runs one attempt of each of some jobs and returns their results for pg-boss. */
export async function attemptJobs<Services>(
  context: Context<Services>,
  definition: AnyJob<Services>,
  jobs: readonly JobWithMetadata<object>[],
): Promise<JobResult[]> {
  const attempts = await Promise.all(jobs.map((job) => attemptJob(context, definition, job)))
  const succeeded = attempts.flatMap(({ hasSucceeded }, index) => (hasSucceeded ? (jobs[index]?.data ?? {}) : []))
  await deleteResolvedDeadLetters(context.pool, definition.name, succeeded).catch(() => undefined)
  return attempts.map(({ result }) => result)
}

type Attempt = { result: JobResult; hasSucceeded: boolean }

async function attemptJob<Services>(
  { services, pool, logger, stopping, isOutage }: Context<Services>,
  definition: AnyJob<Services>,
  job: JobWithMetadata<object>,
): Promise<Attempt> {
  const { id, data, retryCount } = job
  const attempt = retryCount + 1
  try {
    stopping.throwIfAborted()
    const parsed = definition.data.safeParse(data)
    if (!parsed.success) throw new NonRetryableError('data')
    await definition.run(services, parsed.data as never, {
      id,
      signal: AbortSignal.any([job.signal, stopping]),
      attempt,
    })
    return { result: { id, status: 'completed', output: {} }, hasSucceeded: true }
  } catch (error) {
    // An attempt interrupted by a stop or an outage is not a failure: the job runs again as if for the first time.
    const isInterrupted = stopping.aborted || (!(error instanceof NonRetryableError) && (await isOutage()))
    if (isInterrupted && (await returnToQueue(pool, definition.name, job)))
      return { result: { id, status: 'completed' }, hasSucceeded: false }
    const output = { kind: getErrorKind(error) }
    logger.error({ job: definition.name, jobId: id, attempt, ...output }, 'job failed')
    const status = error instanceof NonRetryableError ? 'deadletter' : 'failed'
    return { result: { id, status, output }, hasSucceeded: false }
  }
}

/** Saves a job without attempts left as a dead letter, for an operator to decide, and calls its `onDeadLetter`. */
export async function handleDeadLetter<Services>(
  { services, pool, logger, stopping, isOutage }: Context<Services>,
  definitions: ReadonlyMap<string, AnyJob<Services>>,
  letter: JobWithMetadata<object>,
): Promise<JobResult> {
  const { id, sourceName, sourceId, sourceOutput } = letter
  try {
    if (sourceName === null || sourceId === null) return { id, status: 'completed' }
    if (!(await saveDeadLetter(pool, letter))) return { id, status: 'completed' }
    const definition = definitions.get(sourceName)
    const parsed = definition?.data.safeParse(letter.data)
    const error = readErrorKind(sourceOutput)
    logger.error({ job: sourceName, jobId: sourceId, error }, 'job moved to dead letters')
    if (definition?.onDeadLetter && parsed?.success)
      await definition.onDeadLetter(services, parsed.data as never, { id: sourceId, error })
    return { id, status: 'completed' }
  } catch (error) {
    const isInterrupted = stopping.aborted || (await isOutage())
    if (isInterrupted && (await returnToQueue(pool, deadLetterQueue, letter))) return { id, status: 'completed' }
    return { id, status: 'failed', output: { kind: getErrorKind(error) } }
  }
}
