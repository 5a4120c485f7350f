import type { ClientBase, Pool } from 'pg'
import { deriveId } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { type AnyProcessManager, getJobRequests } from './process-manager.ts'

/** Puts jobs down within the caller's transaction; one whose id was put down before is left as it is. */
export type Enqueue = (
  client: ClientBase,
  jobs: readonly { id: string; job: string; data: object; startAfter?: string | undefined }[],
) => Promise<void>

/** What a process manager is to those who look at checkpoints: it has no table, and is never folded anew. */
export type ProcessManagerEntry = { readonly kind: 'reactor'; readonly name: string; readonly version: 1 }

/** A process manager as the feed follows with it. */
export type ProcessManagerSubscriber = ProcessManagerEntry & {
  readonly on: AnyProcessManager['on']
  /** Puts down what follows from these events, in the transaction that moves the checkpoint. */
  enqueueJobs(client: ClientBase, events: readonly Recorded[]): Promise<void>
}

export const isProcessManager = <Entry extends ProcessManagerEntry>(
  followed: Entry | AnyProjection,
): followed is Entry => 'kind' in followed && followed.kind === 'reactor'

/** The checkpoint of a process manager, by its name. */
export const toProcessManagerEntry = ({ name }: AnyProcessManager): ProcessManagerEntry => ({
  kind: 'reactor',
  name,
  version: 1,
})

/** The id of a job follows from its event: reacted to twice, as after a step back of the database, it is still one job. */
export const deriveJobId = (event: { id: string }, reactor: string, index: number): string =>
  deriveId(`${event.id}:${reactor}:${index}`)

/** Lets the feed follow with a process manager. */
export const createProcessManagerSubscriber = (
  manager: AnyProcessManager,
  enqueue: Enqueue,
): ProcessManagerSubscriber => ({
  ...toProcessManagerEntry(manager),
  on: manager.on,
  async enqueueJobs(client, events) {
    const jobs = events.flatMap((event) =>
      getJobRequests(manager, event).map((request, index) => ({
        ...request,
        id: deriveJobId(event, manager.name, index),
      })),
    )
    if (jobs.length > 0) await enqueue(client, jobs)
  },
})

/**
 * Gives a new reactor its checkpoint, at the end of the record: what was before it is not its business. One whose checkpoint
 * is after the end belongs to a record that was put back since, as from a backup; it goes on at the end too.
 */
export async function startAtEnd(
  pool: Pool,
  store: EventStore,
  reactors: readonly ProcessManagerSubscriber[],
): Promise<void> {
  const names = reactors.map(({ name }) => name)
  if (names.length === 0) return
  const { rows } = await pool.query<{ name: string; position: string | null }>(
    'select name, position from read.checkpoints where name = any($1)',
    [names],
  )
  // Only now: whoever moves a checkpoint meanwhile cannot be taken for one that is after the end.
  const head = await store.head()
  const known = new Set(rows.map(({ name }) => name))
  await pool.query(
    `insert into read.checkpoints (name, version, position) select name, 1, $2 from unnest($1::text[]) as t(name)
     on conflict do nothing`,
    [names.filter((name) => !known.has(name)), head],
  )
  for (const { name, position } of rows)
    if (position !== null && store.isOwnPosition(position) && (head === null || position > head))
      await pool.query(
        `update read.checkpoints set position = $2, state = 'running', stopped_at = null, error = null
         where name = $1 and position = $3`,
        [name, head, position],
      )
}
