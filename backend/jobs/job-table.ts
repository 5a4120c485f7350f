import type { Pool } from 'pg'
import type { JobWithMetadata } from 'pg-boss'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { withTransaction } from '#database/pool.ts'

// The only changes to the private table of pg-boss (ADR 19).

/** Indexes for jobs that are due and for those that run. Those of pg-boss lead to all waiting jobs of a queue, and to all jobs there are. */
const jobIndexes = {
  everchart_due_jobs: `(name, start_after) where state < 'active' and not blocked`,
  everchart_running_jobs: `(name) where state = 'active'`,
}

/** Creates the indexes that are missing. */
export async function createJobIndexes(pool: Pool): Promise<void> {
  // Looked for first: the statements below wait for all who write to the table, even if the indexes exist.
  const names = Object.keys(jobIndexes).map((name) => `jobs.${name}`)
  const { rows } = await pool.query<{ missing: boolean }>(
    'select bool_or(to_regclass(name) is null) as missing from unnest($1::text[]) as named (name)',
    [names],
  )
  if (!rows[0]?.missing) return
  await withTransaction(pool, 'begin', async (client) => {
    // Of two instances that start at once, one would fail in spite of `if not exists`.
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.jobIndexes])
    for (const [name, definition] of Object.entries(jobIndexes))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await client.query(`create index if not exists ${name} on jobs.job_common ${definition}`)
  })
}

/** The retry count of a job object whose attempt is not ours: no row has it. */
const noClaim = -1

/**
 * Returns an active job to its queue as if this attempt had not happened. Returns false when the attempt is no longer
 * ours: its claim has expired, or the database is unavailable. Changes the retry count of the object, so that pg-boss
 * neither settles nor prolongs what it no longer holds: another worker may have claimed the job again with the same count,
 * and its attempt would count as completed without having run.
 */
export async function returnToQueue(pool: Pool, queue: string, job: JobWithMetadata<object>): Promise<boolean> {
  const returned = await pool
    .query(
      `update jobs.job set state = case retry_count when 0 then 'created' else 'retry' end::jobs.job_state,
         started_on = null, heartbeat_on = null, start_after = now()
       where name = $1 and id = $2 and state = 'active' and retry_count = $3`,
      [queue, job.id, job.retryCount],
    )
    .catch(() => null)
  if (returned?.rowCount !== 1) return false
  job.retryCount = noClaim
  return true
}

/**
 * Requeues jobs that a killed process left active, without waiting for their claims to expire. Call only while no other
 * process can run jobs. The interrupted attempt counts; a job without attempts left is not touched, so that its claim
 * expires and it becomes a dead letter. Returns the number of jobs.
 */
export async function requeueOrphanedJobs(pool: Pool, queues: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `update jobs.job set state = 'retry', heartbeat_on = null, start_after = now()
     where state = 'active' and started_on is not null and retry_count < retry_limit and name = any($1)`,
    [queues],
  )
  return rowCount ?? 0
}
