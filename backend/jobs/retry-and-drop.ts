import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { deriveId } from '#eventstore/derive-id.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { recordDecision } from '#eventstore/record-decision.ts'
import { withTransaction } from '#database/pool.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { type DeadLetter, lockDeadLetter, listDeadLetters } from './dead-letters.ts'
import { JobEvent } from './events.ts'
import { withBossInTransaction } from './with-boss-in-transaction.ts'

/** Loads the dead letters, oldest first; none in an installation that was never started. */
export async function loadDeadLetters({ pool }: Pick<EngineContext, 'pool'>): Promise<DeadLetter[]> {
  return (await hasDeadLetterTable(pool)) ? await listDeadLetters(pool) : []
}

/** Returns a dead letter to its queue under its own id. Throws OperationRefused when there is none. */
export async function retryJob({ pool }: EngineContext, id: string): Promise<DeadLetter> {
  return await resolveDeadLetter(pool, id, async (letter, boss) => {
    await boss.insert(letter.job, [{ id, data: letter.data }])
  })
}

/** Discards a dead letter, and records the operator and the reason. Throws OperationRefused when there is none. */
export async function dropJob(
  engine: EngineContext,
  id: string,
  decision: { by: string; why: string },
): Promise<DeadLetter> {
  return await resolveDeadLetter(engine.pool, id, (letter) => recordDrop(engine.store, letter, decision))
}

async function resolveDeadLetter(
  pool: Pool,
  id: string,
  resolve: (letter: DeadLetter, boss: PgBoss) => Promise<void>,
): Promise<DeadLetter> {
  const notFound = new OperationRefused(`There is no dead letter ${id}: npm run jobs lists them`)
  if (!(await hasDeadLetterTable(pool))) throw notFound
  return await withTransaction(pool, 'begin', async (client) => {
    const letter = await lockDeadLetter(client, id)
    if (!letter) throw notFound
    await withBossInTransaction(client, async (boss) => {
      // Deletes the failed job, so that its id can be enqueued again and it is not saved as a dead letter twice.
      await boss.deleteJob(letter.job, id)
      await client.query('delete from app.dead_letters where job_id = $1', [id])
      await resolve(letter, boss)
    })
    return letter
  })
}

/** Records the decision once, however often it is called: the event id is derived from the job and its last attempt. */
async function recordDrop(store: EventStore, letter: DeadLetter, decision: { by: string; why: string }): Promise<void> {
  const { id, job, error, attempts, failedAt } = letter
  const eventId = deriveId(`${id}:dropped:${failedAt}`)
  await recordDecision(store, {
    stream: `job-${id}`,
    schema: JobEvent,
    event: { type: 'JobDropped', data: { jobId: id, job, error, attempts, ...decision } },
    id: eventId,
    process: 'jobs',
    isSame: (earlier) => earlier.id === eventId,
  })
}

async function hasDeadLetterTable(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(`select to_regclass('app.dead_letters') is not null as exists`)
  return rows[0]?.exists === true
}
