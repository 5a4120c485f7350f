import type { ClientBase } from 'pg'
import { PgBoss } from 'pg-boss'
import { copyRows, tableExists } from './tables.ts'
import type { Section } from './sections.ts'

/** The queues with what holds for their jobs, and the jobs that were not done yet; one JSON value a line. */
export const queueSection = 'jobs: queues'
export const pendingJobSection = 'jobs: waiting'

const queuesSql = `
  select jsonb_strip_nulls(jsonb_build_object('name', name, 'policy', policy, 'partition', partition,
    'retryLimit', retry_limit, 'retryDelay', retry_delay, 'retryBackoff', retry_backoff, 'retryDelayMax', retry_delay_max,
    'expireInSeconds', expire_seconds, 'retentionSeconds', retention_seconds, 'deleteAfterSeconds', deletion_seconds,
    'heartbeatSeconds', heartbeat_seconds, 'deadLetter', dead_letter, 'notify', notify))
  from jobs.queue where name not like '\\_\\_pgboss%' order by dead_letter is not null, name`

/** One that is on its way to where given up jobs go is tried again where it came from. */
const pendingJobsSql = `
  select jsonb_strip_nulls(jsonb_build_object('queue', coalesce(source_name, name), 'id', coalesce(source_id, id), 'data', data, 'priority', priority,
    'startAfter', start_after, 'singletonKey', singleton_key, 'retryLimit', retry_limit))
  from jobs.job where state < 'completed' and name not like '\\_\\_pgboss%' order by created_on, id`

/** What waits to be done, in the snapshot of the transaction. Done and failed jobs are not kept: their effect is a fact. */
export async function* readPendingJobs(client: ClientBase): AsyncGenerator<Section> {
  if (!(await tableExists(client, 'jobs.job'))) return
  yield { section: queueSection, columns: ['json'], rows: copyRows(client, queuesSql) }
  yield { section: pendingJobSection, columns: ['json'], rows: copyRows(client, pendingJobsSql) }
}

type Queue = { name: string }
type PendingJob = { queue: string; id: string }

/** The JSON values of such a section. */
export async function parseJsonRows({ rows }: Section): Promise<object[]> {
  const chunks: Buffer[] = []
  for await (const chunk of rows) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n').slice(0, -1)
  // JSON knows no raw tab or newline, so that only backslashes stand doubled.
  return lines.map((line) => JSON.parse(line.replaceAll('\\\\', '\\')) as object)
}

/** Makes the queues; they stay empty when the restore comes to nothing, and harm nobody. */
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

/** Puts the jobs that waited back into their queues, within the transaction of the connection. */
export async function restoreJobs(client: ClientBase, jobs: readonly object[]): Promise<void> {
  const executeSql = async (text: string, values?: unknown[]) => await client.query(text, values)
  const boss = new PgBoss({ db: { executeSql }, schema: 'jobs', supervise: false, schedule: false, migrate: false })
  boss.on('error', () => undefined)
  await boss.start()
  try {
    const queues = Map.groupBy(jobs as PendingJob[], ({ queue }) => queue)
    for (const [queue, waiting] of queues)
      await boss.insert(
        queue,
        waiting.map(({ queue: _, ...job }) => job),
      )
  } finally {
    await boss.stop({ graceful: false })
  }
}
