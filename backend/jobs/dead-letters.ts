import type { ClientBase, Pool } from 'pg'
import type { JobWithMetadata } from 'pg-boss'
import type { Migration } from '#database/migrations.ts'
import { readErrorKind } from './queues.ts'

/** The jobs that were given up. Kept apart from the queues, so that nothing but a decision ever removes one. */
export const deadLettersMigration: Migration = {
  id: 'jobs-001-dead-letters',
  sql: `create table app.dead_letters (
          job_id uuid primary key,
          job text not null,
          data jsonb not null,
          -- The kind of error, never its text.
          error text not null,
          attempts int not null,
          asked_at timestamptz not null,
          given_up_at timestamptz not null);
        create index on app.dead_letters (job);`,
}

/** One job that is out of tries. Instants are ISO texts in UTC. */
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
 * Writes a job down that was given up. Answers false when it is not given up any more: somebody has decided about it
 * meanwhile.
 */
export async function saveDeadLetter(pool: Pool, job: JobWithMetadata<object>): Promise<boolean> {
  const { sourceName, sourceId, sourceOutput, sourceRetryCount, sourceCreatedOn, createdOn, data } = job
  const { rowCount } = await pool.query(
    `insert into app.dead_letters (job_id, job, data, error, attempts, asked_at, given_up_at)
     select $1, $2, $3, $4, $5, $6, $7
     where exists (select from jobs.job where name = $2 and id = $1 and state = 'failed')
     on conflict (job_id) do update set error = $4, attempts = $5, given_up_at = $7`,
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

/** A job was done with the very data with which it was given up before: there is nothing left to decide. */
export async function deleteResolvedDeadLetters(pool: Pool, name: string, data: object): Promise<void> {
  await pool.query('delete from app.dead_letters where job = $1 and data = $2', [name, JSON.stringify(data ?? {})])
}

/** How many jobs wait for somebody to decide. */
export async function countDeadLetters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from app.dead_letters')
  return rows[0]?.count ?? 0
}

const selectSql = `select job_id as id, job, data, error, attempts, asked_at, given_up_at from app.dead_letters`

type DeadLetterRow = Omit<DeadLetter, 'askedAt' | 'givenUpAt'> & { asked_at: Date; given_up_at: Date }

const toDeadLetter = ({ asked_at: asked, given_up_at: givenUp, ...rest }: DeadLetterRow): DeadLetter => ({
  ...rest,
  requestedAt: asked.toISOString(),
  failedAt: givenUp.toISOString(),
})

/** All of them, oldest first. */
export async function listDeadLetters(pool: Pool): Promise<DeadLetter[]> {
  const { rows } = await pool.query<DeadLetterRow>(`${selectSql} order by given_up_at, job_id`)
  return rows.map(toDeadLetter)
}

/** One of them, held for the transaction; null when there is none. */
export async function lockDeadLetter(client: ClientBase, id: string): Promise<DeadLetter | null> {
  const { rows } = await client.query<DeadLetterRow>(`${selectSql} where job_id = $1 for update`, [id])
  return rows[0] ? toDeadLetter(rows[0]) : null
}
