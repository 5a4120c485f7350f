import { randomUUID } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { deriveId } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { inTransaction, withConnection } from '#database/pool.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { type DeadLetter, lockDeadLetter, listDeadLetters } from './dead-letters.ts'
import { JobEvent } from './events.ts'
import { useTransactionOf } from './queues.ts'

/** The jobs that were given up, oldest first; none in an installation that was never started. */
export async function loadDeadLetters({ pool }: Pick<EngineContext, 'pool'>): Promise<DeadLetter[]> {
  return (await hasDeadLetterTable(pool)) ? await listDeadLetters(pool) : []
}

/** Puts a job that was given up back into its queue, under its own id. Throws OperationRefused when there is none. */
export async function retryJob({ pool }: EngineContext, id: string): Promise<DeadLetter> {
  return await resolveDeadLetter(pool, id, async (client, letter, boss) => {
    await boss.insert(letter.job, [{ id, data: letter.data }], useTransactionOf(client))
  })
}

/** Leaves a job that was given up undone for ever, and records who decided that and why. Throws OperationRefused. */
export async function dropJob(
  engine: EngineContext,
  id: string,
  decided: { by: string; why: string },
): Promise<DeadLetter> {
  return await resolveDeadLetter(engine.pool, id, (_, letter) => recordDrop(engine.store, letter, decided))
}

async function resolveDeadLetter(
  pool: Pool,
  id: string,
  act: (client: ClientBase, letter: DeadLetter, boss: PgBoss) => Promise<void>,
): Promise<DeadLetter> {
  const none = new OperationRefused(`No job ${id} was given up: npm run jobs lists them`)
  if (!(await hasDeadLetterTable(pool))) throw none
  return await withConnection(pool, (client) =>
    inTransaction(client, 'begin', async () => {
      const letter = await lockDeadLetter(client, id)
      if (!letter) throw none
      const boss = new PgBoss({
        ...useTransactionOf(client),
        schema: 'jobs',
        supervise: false,
        schedule: false,
        migrate: false,
      })
      boss.on('error', () => undefined)
      await boss.start()
      try {
        // What failed makes way for a new try of the same id; once it is gone, nobody takes it for given up again.
        await boss.deleteJob(letter.job, id, useTransactionOf(client))
        await client.query('delete from app.dead_letters where job_id = $1', [id])
        await act(client, letter, boss)
      } finally {
        await boss.stop({ graceful: false })
      }
      return letter
    }),
  )
}

/** Under an id that follows from the job and its last try: however often this is called, it is recorded once. */
async function recordDrop(store: EventStore, letter: DeadLetter, decided: { by: string; why: string }): Promise<void> {
  const { id, job, error, attempts, failedAt: givenUpAt } = letter
  const fact = JobEvent.parse({ type: 'JobDropped', data: { jobId: id, job, error, attempts, ...decided } })
  const correlationId = randomUUID()
  const metadata = {
    practiceId: null,
    actor: { kind: 'process' as const, name: 'jobs' },
    correlationId,
    causationId: correlationId,
    at: new Date().toISOString(),
    schemaVersion: 1,
    sample: false,
  }
  const dropped = { ...fact, id: deriveId(`${id}:dropped:${givenUpAt}`), metadata }
  for (;;) {
    let revision: bigint | 'no-stream' = 'no-stream'
    for await (const earlier of store.read(`job-${id}`)) {
      if (earlier.id === dropped.id) return
      revision = earlier.revision
    }
    const { status } = await store.append(`job-${id}`, revision, [dropped])
    if (status === 'too-large') throw new OperationRefused('The reason is too long')
    if (status !== 'conflict') return
  }
}

async function hasDeadLetterTable(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ there: boolean }>(`select to_regclass('app.dead_letters') is not null as there`)
  return rows[0]?.there === true
}
