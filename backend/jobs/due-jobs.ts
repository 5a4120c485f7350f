import type { Pool } from 'pg'
import { statement } from '#database/prepared.ts'

/** Milliseconds between two looks for jobs whose time has come. */
const intervalMs = 500

// With an offset, PostgreSQL looks into each queue by itself, and stops at its first job. Otherwise it may read all jobs there are.
export const findDueQueuesSql = `select name from unnest($1::text[]) as queue(name)
  where exists (select from jobs.job j
    where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= jobs.job_now() offset 0)`

// The second condition reads all jobs of a queue, and is looked at last.
export const isNeglectedSql = `select exists (select from unnest($1::text[]) as queue(name)
  where case when exists (select from jobs.job j
    where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after < jobs.job_now() - interval '15 minutes' offset 0)
  then not exists (select from jobs.job j
    where j.name = queue.name and (j.state = 'active' or j.completed_on > jobs.job_now() - interval '15 minutes'))
  end) as "isNeglected"`

/**
 * Returns whether a queue has a job whose time came a quarter of an hour ago, and none of its jobs has run since: then no worker takes
 * them, whatever the reason.
 */
export async function hasNeglectedQueue(pool: Pool, queues: readonly string[]): Promise<boolean> {
  const { rows } = await pool.query<{ isNeglected: boolean }>(statement(isNeglectedSql, [queues]))
  return rows[0]?.isNeglected ?? false
}

type Dependencies = {
  pool: Pool
  queues: readonly string[]
  isPaused: () => boolean
  /** Called with the name of each queue that has a job whose time has come. */
  onDue: (queue: string) => void
  onError: (error: Error) => void
}

/**
 * Looks twice a second for jobs whose time has come, in one statement for all queues: if the workers of each queue polled, an
 * idle instance would send a statement for every queue as often. New jobs wake the workers in any case. Returns a function that
 * stops it.
 */
export function watchDueJobs({ pool, queues, isPaused, onDue, onError }: Dependencies): () => void {
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking || isPaused()) return
    isLooking = true
    try {
      const { rows } = await pool.query<{ name: string }>(statement(findDueQueuesSql, [queues]))
      for (const { name } of rows) onDue(name)
    } catch (error) {
      onError(error as Error)
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
