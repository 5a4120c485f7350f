import type { ClientBase, Pool, PoolClient, QueryConfig } from 'pg'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { inTransaction } from '#database/pool.ts'
import { statement } from '#database/prepared.ts'
import { sendTogether } from '#database/send-together.ts'
import type { AlsoWritten } from '#projections/fold.ts'
import { isBehind } from '#projections/position.ts'
import type { CheckpointOwner, Subscriber } from './subscriber.ts'
import type { Subscription } from './subscription.ts'

type Queryable = Pick<ClientBase, 'query'>

/** One row of `read.checkpoints`. */
export type Checkpoint = {
  name: string
  version: number
  position: Position | null
  state: string
  failed_at_position: Position | null
  error: string | null
  state_since: Date
}

/** Returns all checkpoints by name, including those of shadow and previous tables. */
export async function loadCheckpoints({ pool }: { pool: Pool }): Promise<ReadonlyMap<string, Checkpoint>> {
  const { rows } = await pool.query<Checkpoint>(
    'select name, version, position, state, failed_at_position, error, state_since from read.checkpoints',
  )
  return new Map(rows.map((row) => [row.name, row]))
}

/** Loads the subscriptions of subscribers whose tables exist. A new process retries those that had failed. */
export async function loadSubscriptions(pool: Pool, subscribers: readonly Subscriber[]): Promise<Subscription[]> {
  const subscriptions = subscribers.map((subscriber): Subscription => {
    return { subscriber, position: null, savedPosition: null, state: 'running', skippedIds: null }
  })
  await syncWithCheckpoints(pool, subscriptions)
  return subscriptions.map((subscription) => {
    const isEmpty = subscription.subscriber.kind === 'projection' && subscription.position === null
    return isEmpty ? { ...subscription, state: 'rebuilding' } : subscription
  })
}

/**
 * Re-reads checkpoints: another instance may have advanced, taken over or restarted a subscription, and a crash of the
 * database may have lost the last commits, which are then folded again (ADR 6).
 */
export async function syncWithCheckpoints(pool: Pool, subscriptions: readonly Subscription[]): Promise<void> {
  const checkpoints = await loadCheckpoints({ pool })
  for (const subscription of subscriptions) {
    const { name, version } = subscription.subscriber
    const checkpoint = checkpoints.get(name)
    if (checkpoint?.version !== version) {
      if (subscription.state !== 'failed') subscription.state = 'superseded'
      continue
    }
    const { position, state } = checkpoint
    if (subscription.state === 'superseded' || (subscription.state === 'failed' && state === 'running')) {
      subscription.position = position
      subscription.state = 'running'
      // An operator may have skipped the event that it failed at.
      subscription.skippedIds = null
    } else if (isBehind(position, subscription.savedPosition) || isBehind(subscription.position, position))
      subscription.position = position
    subscription.savedPosition = position
  }
}

/**
 * Creates missing checkpoints at the end of the event store, so that earlier events are not processed. One that is
 * beyond the end belongs to a longer history, as after a restore from a backup; it is moved to the end too.
 */
export async function startAtEnd(pool: Pool, store: EventStore, owners: readonly CheckpointOwner[]): Promise<void> {
  const names = owners.map(({ name }) => name)
  if (names.length === 0) return
  const { rows } = await pool.query<{ name: string; position: Position | null }>(
    'select name, position from read.checkpoints where name = any($1)',
    [names],
  )
  // Read after the checkpoints: one that another instance moves in between cannot seem to be beyond the end.
  const head = await store.head()
  const existing = new Set(rows.map(({ name }) => name))
  await pool.query(
    `insert into read.checkpoints (name, version, position) select name, 1, $2 from unnest($1::text[]) as t(name)
     on conflict do nothing`,
    [names.filter((name) => !existing.has(name)), head],
  )
  for (const { name, position } of rows)
    if (position !== null && store.isOwnPosition(position) && isBehind(head, position))
      await pool.query(
        `update read.checkpoints set position = $2, state = 'running', failed_at_position = null, error = null
         where name = $1 and position = $3`,
        [name, head, position],
      )
}

/**
 * Runs in a transaction that PostgreSQL ends when the process stops responding in its middle, which rolls it back: the
 * checkpoint is not held forever, and the process has nothing to commit when it resumes (ADR 11).
 */
export const inCheckpointTransaction = <Result>(client: ClientBase, run: () => Promise<Result>): Promise<Result> =>
  inTransaction(client, beginSql, run)

// A crash loses rows, jobs and checkpoint together, and the events are processed again: the commit need not wait for the disk. A job
// that a worker has started is not lost: its start waits for the disk, which PostgreSQL writes in order (ADR 6). Rows are found by
// their key: a plan made while the table was empty is kept, and must not scan it when it has grown.
const beginSql = `begin; set local synchronous_commit to off; set local idle_in_transaction_session_timeout to '1500ms';
  set local enable_seqscan to off; set local plan_cache_mode to force_generic_plan`

type OwnedCheckpoint = Pick<CheckpointOwner, 'name' | 'version'>
type LockedRow = { name: string; position: Position | null }

/** Locks checkpoints. Returns their positions by name, without those that another instance holds or has taken over. */
export async function lockCheckpoints(
  client: Queryable,
  owners: readonly OwnedCheckpoint[],
): Promise<ReadonlyMap<string, Position | null>> {
  return readLocked((await client.query<LockedRow>(lockStatement(owners))).rows)
}

const lockStatement = (owners: readonly OwnedCheckpoint[]) =>
  statement(
    `select name, position from read.checkpoints
     where name = any($1) and (name, version) in (select * from unnest($1::text[], $2::int[])) for update skip locked`,
    [owners.map(({ name }) => name), owners.map(({ version }) => version)],
  )

const readLocked = (rows: readonly LockedRow[]) => new Map(rows.map(({ name, position }) => [name, position]))

/**
 * Begins the transaction of several owners, locks their checkpoints and loads rows, all at once. A statement sees what was
 * committed before it began, and `load` begins when the locks are held. Returns what `lockCheckpoints` returns, and the rows.
 */
export async function beginTogether<Loaded>(
  client: PoolClient,
  owners: readonly OwnedCheckpoint[],
  load?: QueryConfig,
): Promise<{ checkpoints: ReadonlyMap<string, Position | null>; rows: readonly Loaded[] }> {
  const [, locked, loaded] = await sendTogether(client, [beginSql, lockStatement(owners), ...(load ? [load] : [])])
  return { checkpoints: readLocked(locked?.rows ?? []), rows: loaded?.rows ?? [] }
}

/** Moves locked checkpoints forward; a failed one runs again. */
export async function moveCheckpoints(client: Queryable, names: readonly string[], position: Position): Promise<void> {
  const { build, values } = moveStatement(names, position)
  await client.query(statement(build(1), [...values]))
}

/** Returns the statement that moves locked checkpoints forward, to be run with others. */
export const moveStatement = (names: readonly string[], position: Position): AlsoWritten => ({
  build: (first) => `
    update read.checkpoints
    set position = $${first + 1}, failed_at_position = null, error = null, updated_at = now(),
        state_since = case state when 'running' then state_since else now() end, state = 'running'
    where name = any($${first})`,
  values: [names, position],
})

/** Records the event at which a checkpoint failed, unless another instance has advanced beyond it. */
export async function failCheckpoint(
  client: Queryable,
  { name, version }: Pick<CheckpointOwner, 'name' | 'version'>,
  position: Position,
  failure: string,
): Promise<void> {
  await client.query(
    `update read.checkpoints
     set failed_at_position = $2, error = $3,
         state_since = case state when 'failed' then state_since else now() end, state = 'failed'
     where name = $1 and version = $4 and (position is null or position < $2)`,
    [name, position, failure, version],
  )
}

/**
 * Saves the positions of subscriptions that have handled no event for a while, in one statement
 * instead of one commit each. Leaves out those that another instance holds or has moved.
 */
export async function flushCheckpoints(pool: Pool, subscriptions: readonly Subscription[]): Promise<void> {
  const moved = subscriptions.filter(
    ({ position, savedPosition, state }) => position !== savedPosition && state !== 'superseded',
  )
  if (moved.length === 0) return
  const { rows } = await pool.query<{ name: string; position: Position | null }>(flushCheckpointsSql, [
    moved.map(({ subscriber }) => subscriber.name),
    moved.map(({ subscriber }) => subscriber.version),
    moved.map(({ position }) => position),
    moved.map(({ savedPosition }) => savedPosition),
  ])
  const saved = new Map(rows.map(({ name, position }) => [name, position]))
  for (const subscription of moved) {
    const { name } = subscription.subscriber
    if (saved.has(name)) subscription.savedPosition = saved.get(name) ?? null
  }
}

const flushCheckpointsSql = `
  update read.checkpoints c set position = m.position, updated_at = now()
  from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as m(name, version, position, saved),
       (select name from read.checkpoints where name = any($1) order by name for update skip locked) free
  where c.name = m.name and c.name = free.name and c.version = m.version
    and c.position is not distinct from m.saved collate "C"
  returning c.name, c.position`

/**
 * Terminates the connection that has held a checkpoint for more than five seconds: its process stopped responding while
 * PostgreSQL was sending it rows, which no time-out of the server ends (ADR 17).
 */
export async function terminateStaleHolder(pool: Pool, { name }: CheckpointOwner): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(a.pid)
     from read.checkpoints c join pg_stat_activity a on a.backend_xid = c.xmax
     where c.name = $1 and a.datname = current_database() and a.xact_start < now() - interval '5 seconds'`,
    [name],
  )
}
