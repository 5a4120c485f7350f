import type { ClientBase, Pool } from 'pg'
import type { JobWithMetadata } from 'pg-boss'
import type { Migration } from '#database/migrations.ts'
import { statement } from '#database/prepared.ts'
import { readErrorKind } from './queues.ts'

/** The table of dead letters. It is separate from the queues, which delete their failed jobs after a week. */
export const deadLettersMigration: Migration = {
  id: 'jobs-001-dead-letters',
  sql: `create table app.dead_letters (
          job_id uuid primary key,
          job text not null,
          data jsonb not null,
          -- The kind of error, never its message.
          error text not null,
          attempts int not null,
          requested_at timestamptz not null,
          failed_at timestamptz not null);
        create index on app.dead_letters (job);`,
}

/** A job without attempts left. Instants are ISO texts in UTC. */
export type DeadLetter = {
  id: string
  job: string
  data: object
  error: string
  attempts: number
  requestedAt: string
  failedAt: string
}

/**
 * Saves a job as a dead letter. Returns false when the job is no longer failed: an operator has retried or dropped it
 * since.
 */
export async function saveDeadLetter(pool: Pool, job: JobWithMetadata<object>): Promise<boolean> {
  const { sourceName, sourceId, sourceOutput, sourceRetryCount, sourceCreatedOn, createdOn, data } = job
  const { rowCount } = await pool.query(
    `insert into app.dead_letters (job_id, job, data, error, attempts, requested_at, failed_at)
     select $1, $2, $3, $4, $5, $6, $7
     where exists (select from jobs.job where name = $2 and id = $1 and state = 'failed')
     on conflict (job_id) do update set error = $4, attempts = $5, failed_at = $7`,
    [
      sourceId,
      sourceName,
      JSON.stringify(data ?? {}),
      readErrorKind(sourceOutput),
      (sourceRetryCount ?? 0) + 1,
      sourceCreatedOn,
      createdOn,
    ],
  )
  return rowCount === 1
}

const deleteResolvedSql = 'delete from app.dead_letters where job = $1 and data = any($2::jsonb[])'

/** Deletes the dead letters of jobs that have now succeeded with the same data: they are resolved. */
export async function deleteResolvedDeadLetters(pool: Pool, name: string, data: readonly object[]): Promise<void> {
  if (data.length > 0) await pool.query(statement(deleteResolvedSql, [name, data.map((each) => JSON.stringify(each))]))
}

/** Returns the number of dead letters. */
export async function countDeadLetters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from app.dead_letters')
  return rows[0]?.count ?? 0
}

const selectSql = `select job_id as id, job, data, error, attempts, requested_at, failed_at from app.dead_letters`

type DeadLetterRow = Omit<DeadLetter, 'requestedAt' | 'failedAt'> & { requested_at: Date; failed_at: Date }

const toDeadLetter = ({ requested_at, failed_at, ...rest }: DeadLetterRow): DeadLetter => ({
  ...rest,
  requestedAt: requested_at.toISOString(),
  failedAt: failed_at.toISOString(),
})

/** Returns all dead letters, oldest first. */
export async function listDeadLetters(pool: Pool): Promise<DeadLetter[]> {
  const { rows } = await pool.query<DeadLetterRow>(`${selectSql} order by failed_at, job_id`)
  return rows.map(toDeadLetter)
}

/** Locks a dead letter for the transaction. Returns null when there is none. */
export async function lockDeadLetter(client: ClientBase, id: string): Promise<DeadLetter | null> {
  const { rows } = await client.query<DeadLetterRow>(`${selectSql} where job_id = $1 for update`, [id])
  return rows[0] ? toDeadLetter(rows[0]) : null
}
