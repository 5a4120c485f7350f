import type { ClientBase } from 'pg'
import { PgBoss } from 'pg-boss'
import { useTransactionOf } from './queues.ts'

/** Runs a function with a pg-boss that writes on this connection, within its open transaction, and starts no workers. */
export async function withBossInTransaction<Result>(
  client: ClientBase,
  run: (boss: PgBoss) => Promise<Result>,
): Promise<Result> {
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
    return await run(boss)
  } finally {
    await boss.stop({ graceful: false })
  }
}
