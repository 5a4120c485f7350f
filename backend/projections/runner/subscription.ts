import type { Pool } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { foldBatch } from '#projections/fold.ts'
import { inTransaction, withConnection } from '#database/pool.ts'
import { type AnyProjection, handlesEvent, getHandledTypes } from '#projections/projection.ts'
import { isProcessManager, type ProcessManagerSubscriber } from '#process-managers/subscriber.ts'
import { loadSkippedIds } from '#projections/skips.ts'

/** What is followed with: a read model, or a process manager. */
export type Subscriber = AnyProjection | ProcessManagerSubscriber

/** How far one read model or reactor is, as this process knows it. */
export type Subscription = {
  readonly subscriber: Subscriber
  position: Position | null
  /** What its checkpoint row said last; lags behind `position` while nothing concerned it. */
  savedPosition: Position | null
  /** `stopped`: a copy of the app with another version of it has taken its table over. */
  state: 'running' | 'rebuilding' | 'failed' | 'stopped'
  /** The ids of the events that were decided to be left out; null as long as nobody has asked the store. */
  skippedIds: ReadonlySet<string> | null
}

/** A stretch of the record: the events after one position, up to and including another. */
export type Batch = { events: readonly Recorded[]; next: Position }

const isAfter = (a: Position, b: Position | null) => b === null || a > b

/** Whether it goes on: it neither stands still nor was taken over. */
export const isActive = ({ state }: Subscription): boolean => state === 'running' || state === 'rebuilding'

/** Those who have seen the most, and as much as each other. */
export function mostAdvanced(followers: readonly Subscription[]): Subscription[] {
  const [one, ...others] = followers
  if (!one) return []
  let { position } = one
  for (const other of others) if (isBehind(position, other.position)) position = other.position
  return followers.filter((follower) => follower.position === position)
}

/** What is read of the record: the names of the events, everything without them; and whether nobody looks at what is sealed. */
export type EventFilter = { types?: readonly string[]; metadataOnly?: boolean }

/** What any of them has to see. */
export const subscriptionOf = (followers: readonly Subscription[]): EventFilter => ({
  types: [...new Set(followers.flatMap(({ subscriber: projection }) => getHandledTypes(projection)))],
  metadataOnly: followers.every(
    ({ subscriber: projection }) => !isProcessManager(projection) && projection.isMetadataOnly === true,
  ),
})

/** Begins to follow with a read model whose table is prepared. One that had failed is tried again by every new process. */
export async function loadSubscription(pool: Pool, projection: Subscriber): Promise<Subscription> {
  const follower: Subscription = {
    subscriber: projection,
    position: null,
    savedPosition: null,
    state: 'running',
    skippedIds: null,
  }
  await syncWithCheckpoints(pool, [follower])
  return follower.position === null && !isProcessManager(projection) ? { ...follower, state: 'rebuilding' } : follower
}

/**
 * Goes by what the checkpoints say: another copy of the app may be further, or may have brought another version; somebody
 * may have let a read model that stood still go on. And what a crash of the database took back, because it was not yet on
 * the disk, has to be folded again.
 */
export async function syncWithCheckpoints(pool: Pool, followers: readonly Subscription[]): Promise<void> {
  const { rows } = await pool.query<{ name: string; version: number; position: Position | null; state: string }>(
    'select name, version, position, state from read.checkpoints',
  )
  for (const follower of followers) {
    const { name, version } = follower.subscriber
    const checkpoint = rows.find((row) => row.name === name)
    if (checkpoint?.version !== version) {
      if (follower.state !== 'failed') follower.state = 'stopped'
      continue
    }
    const { position, state } = checkpoint
    if (follower.state === 'stopped' || (follower.state === 'failed' && state === 'running')) {
      Object.assign(follower, { position, state: 'running', skips: null })
    } else if (isBehind(position, follower.savedPosition) || isBehind(follower.position, position))
      follower.position = position
    follower.savedPosition = position
  }
}

/** Whether somewhere is before somewhere else; null is before the first event. */
export const isBehind = (a: Position | null, b: Position | null) => b !== null && isAfter(b, a)

/**
 * Takes a read model over a batch. Rows and checkpoint move in one transaction, so that every event counts exactly once,
 * however often it is delivered and whoever else follows. Answers false when it could not: another copy of the app is at
 * it, or the checkpoint is not where it was left.
 */
export async function advance(
  pool: Pool,
  store: EventStore,
  follower: Subscription,
  { events, next }: Batch,
): Promise<boolean> {
  const { subscriber: projection, savedPosition: saved } = follower
  const concerning = events.filter(
    (event) => isAfter(event.position, follower.position) && handlesEvent(projection, event.type),
  )
  const skips =
    concerning.length > 0 ? (follower.skippedIds ??= await loadSkippedIds(store, projection.name)) : new Set()
  const news = concerning.filter(({ id }) => !skips.has(id))
  if (news.length === 0) {
    if (isAfter(next, follower.position)) follower.position = next
    return true
  }
  const reached = await withConnection(pool, (client) =>
    inTransaction(client, isProcessManager(projection) ? beginDurableSql : beginSql, async () => {
      const held = await client.query<{ position: Position | null }>(
        'select position from read.checkpoints where name = $1 and version = $2 for update skip locked',
        [projection.name, projection.version],
      )
      const [checkpoint] = held.rows
      if (!checkpoint || isBehind(checkpoint.position, saved)) return null
      const unseen = news.filter(({ position }) => isAfter(position, checkpoint.position))
      await (isProcessManager(projection)
        ? projection.enqueueJobs(client, unseen)
        : foldBatch(client, projection, unseen))
      if (!isAfter(next, checkpoint.position)) return checkpoint.position
      await client.query(moveCheckpointSql, [projection.name, next])
      return next
    }),
  )
  if (reached === null) {
    await pool.query(terminateStaleHolderSql, [projection.name])
    await syncWithCheckpoints(pool, [follower])
    return false
  }
  follower.position = reached
  follower.savedPosition = reached
  return true
}

/** Writes how far read models are that nothing concerned for a while; not over what somebody else has written since. */
export async function flushCheckpoints(pool: Pool, followers: readonly Subscription[]): Promise<void> {
  const moved = followers.filter(
    ({ position, savedPosition: saved, state }) => position !== saved && state !== 'stopped',
  )
  if (moved.length === 0) return
  const values = [
    moved.map(({ subscriber: projection }) => projection.name),
    moved.map(({ subscriber: projection }) => projection.version),
    moved.map(({ position }) => position),
    moved.map(({ savedPosition: saved }) => saved),
  ]
  const { rows } = await pool.query<{ name: string; position: Position | null }>(flushCheckpointsSql, values)
  const written = new Map(rows.map(({ name, position }) => [name, position]))
  for (const follower of moved) {
    const { name } = follower.subscriber
    if (written.has(name)) follower.savedPosition = written.get(name) ?? null
  }
}

/** All at once: twenty read models must not mean twenty commits. One that somebody is at right now is left for later. */
const flushCheckpointsSql = `
  update read.checkpoints c set position = m.position, updated_at = now()
  from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as m(name, version, position, saved),
       (select name from read.checkpoints where name = any($1) order by name for update skip locked) free
  where c.name = m.name and c.name = free.name and c.version = m.version
    and c.position is not distinct from m.saved collate "C"
  returning c.name, c.position`

/** Stops one read model at the event it cannot fold; the others go on. The kind of error is kept, never data. */
export async function markFailed(pool: Pool, follower: Subscription, event: Recorded, error: unknown): Promise<void> {
  const { name, version } = follower.subscriber
  await pool.query(failCheckpointSql, [name, event.position, describeFailure(event, error), version])
  // Only then: who waits for this read model must find on its checkpoint why it stands still.
  follower.state = 'failed'
}

/** What went wrong with an event, without its data. */
export function describeFailure({ type }: Recorded, error: unknown): string {
  const kind = error instanceof Error ? `${error.name} ${(error as { code?: string }).code ?? ''}`.trim() : 'unknown'
  return `${type}: ${kind}`
}

/** Writes how far a read model is; one that stood still goes on. */
export const moveCheckpointSql = `
  update read.checkpoints
  set position = $2, stopped_at = null, error = null, updated_at = now(),
      since = case state when 'running' then since else now() end, state = 'running'
  where name = $1`

/** Writes where a read model stands still, unless another copy has got further. */
export const failCheckpointSql = `
  update read.checkpoints
  set stopped_at = $2, error = $3, since = case state when 'failed' then since else now() end, state = 'failed'
  where name = $1 and version = $4 and (position is null or position < $2)`

// Rows and checkpoint stay together, and what a crash takes back is folded again: no need to wait for the disk.
// A copy that freezes in the middle does not hold the checkpoint for ever: PostgreSQL ends its connection, and so undoes what
// it had begun. When it wakes up it has nothing to write with, and begins at the checkpoint as all others do.
const beginSql = `begin; set local synchronous_commit to off; set local idle_in_transaction_session_timeout to '1500ms'`

// A job that somebody has begun must not be put down again: this one waits for the disk.
const beginDurableSql = `begin; set local idle_in_transaction_session_timeout to '1500ms'`

/** For one that froze while PostgreSQL was sending it rows, which no time-out of its own would end. */
const terminateStaleHolderSql = `
  select pg_terminate_backend(a.pid)
  from read.checkpoints c join pg_stat_activity a on a.backend_xid = c.xmax
  where c.name = $1 and a.datname = current_database() and a.xact_start < now() - interval '5 seconds'`
