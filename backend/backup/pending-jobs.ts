import type { ClientBase } from 'pg'
import { PgBoss } from 'pg-boss'
import { withBossInTransaction } from '#jobs/with-boss-in-transaction.ts'
import { copyRows, tableExists } from './tables.ts'
import type { Section } from './sections.ts'

/** The sections of queues with their options and of pending jobs; one JSON value per line. */
export const queueSection = 'jobs: queues'
export const pendingJobSection = 'jobs: pending'

const queuesSql = `
  select jsonb_strip_nulls(jsonb_build_object('name', name, 'policy', policy, 'partition', partition,
    'retryLimit', retry_limit, 'retryDelay', retry_delay, 'retryBackoff', retry_backoff, 'retryDelayMax', retry_delay_max,
    'expireInSeconds', expire_seconds, 'retentionSeconds', retention_seconds, 'deleteAfterSeconds', deletion_seconds,
    'heartbeatSeconds', heartbeat_seconds, 'deadLetter', dead_letter, 'notify', notify))
  from jobs.queue where name not like '\\_\\_pgboss%' order by dead_letter is not null, name`

/** A job on its way to the dead letters returns to its own queue. */
const pendingJobsSql = `
  select jsonb_strip_nulls(jsonb_build_object('queue', coalesce(source_name, name), 'id', coalesce(source_id, id), 'data', data, 'priority', priority,
    'startAfter', start_after, 'singletonKey', singleton_key, 'retryLimit', retry_limit))
  from jobs.job where state < 'completed' and name not like '\\_\\_pgboss%' order by created_on, id`

/** Yields the pending jobs, in the snapshot of the transaction. Completed and failed jobs are left out: their effect is recorded as events. */
export async function* readPendingJobs(client: ClientBase): AsyncGenerator<Section> {
  if (!(await tableExists(client, 'jobs.job'))) return
  yield { section: queueSection, columns: ['json'], rows: copyRows(client, queuesSql) }
  yield { section: pendingJobSection, columns: ['json'], rows: copyRows(client, pendingJobsSql) }
}

type Queue = { name: string }
type PendingJob = { queue: string; id: string }

/** Parses a section of JSON values. */
export async function parseJsonRows({ rows }: Section): Promise<object[]> {
  const chunks: Buffer[] = []
  for await (const chunk of rows) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n').slice(0, -1)
  // JSON contains no raw tab or newline, so only backslashes are doubled by COPY.
  return lines.map((line) => JSON.parse(line.replaceAll('\\\\', '\\')) as object)
}

/** Creates the queues. They remain, empty and harmless, if the restore fails. */
export async function createQueues(databaseUrl: string, queues: readonly object[]): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 1, schema: 'jobs', supervise: false, schedule: false })
  boss.on('error', () => undefined)
  await boss.start()
  try {
    for (const { name, ...options } of queues as Queue[]) await boss.createQueue(name, options)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** Inserts pending jobs into their queues, within the transaction of the connection. */
export async function restoreJobs(client: ClientBase, jobs: readonly object[]): Promise<void> {
  const queues = Map.groupBy(jobs as PendingJob[], ({ queue }) => queue)
  await withBossInTransaction(client, async (boss) => {
    for (const [queue, waiting] of queues)
      await boss.insert(
        queue,
        waiting.map(({ queue: _, ...job }) => job),
      )
  })
}
