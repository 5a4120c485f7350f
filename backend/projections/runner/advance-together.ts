import type { Pool, PoolClient } from 'pg'
import { rollingBack, withConnection } from '#database/pool.ts'
import { sendTogether } from '#database/send-together.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { type Fold, foldTogether, loadTogether } from '#projections/fold.ts'
import { isBehind } from '#projections/position.ts'
import type { AnyProjection, Row } from '#projections/projection.ts'
import { type Batch, selectPending } from './advance.ts'
import { beginTogether, moveStatement } from './checkpoints.ts'
import type { Subscription } from './subscription.ts'

/** Longer batches are processed by each alone, several at a time: their rows cost more than their transactions. */
const maxEventsTogether = 50

/** A subscription with the events of the batch that it handles. */
type Member = { subscription: Subscription; pending: readonly Recorded[] }

/**
 * Processes a short batch for all projections and process managers in one transaction (ADR 37). Returns those that have advanced, and
 * the error if there was one. The others advance alone afterwards: those whose checkpoint another instance holds, and after an error all
 * of them, so that only the one at fault fails.
 */
export async function advanceTogether(
  { pool, store, keyStore }: { pool: Pool; store: EventStore; keyStore?: KeyStore | undefined },
  subscriptions: readonly Subscription[],
  batch: Batch,
): Promise<{ advanced: ReadonlySet<Subscription>; error?: unknown }> {
  const none = new Set<Subscription>()
  if (batch.events.length > maxEventsTogether) return { advanced: none }
  try {
    const members = await findMembers(store, subscriptions, batch)
    if (members.length === 0) return { advanced: none }
    const reached = await withConnection(pool, (client) => processMembers(client, members, batch.next, keyStore))
    for (const [subscription, position] of reached) {
      subscription.position = position
      subscription.savedPosition = position
    }
    return { advanced: new Set(reached.keys()) }
  } catch (error) {
    return { advanced: none, error }
  }
}

async function findMembers(
  store: EventStore,
  subscriptions: readonly Subscription[],
  { events }: Batch,
): Promise<Member[]> {
  const running = subscriptions.filter(({ state }) => state === 'running')
  const members = await Promise.all(
    running.map(async (subscription) => ({ subscription, pending: await selectPending(store, subscription, events) })),
  )
  return members.filter(({ pending }) => pending.length > 0)
}

/** A member whose checkpoint is free and where this process left it, with the events that it has not seen. */
type FreeMember = Member & { position: Position | null }

const findFree = (members: readonly Member[], checkpoints: ReadonlyMap<string, Position | null>): FreeMember[] =>
  members.flatMap(({ subscription, pending }) => {
    const position = checkpoints.get(subscription.subscriber.name)
    if (position === undefined || isBehind(position, subscription.savedPosition)) return []
    return [{ subscription, position, pending: pending.filter((event) => isBehind(position, event.position)) }]
  })

/** Returns the names of the checkpoints that move, and the positions that their subscriptions reach. */
function planMoves(free: readonly FreeMember[], next: Position) {
  const moving = free.filter(({ position }) => isBehind(position, next))
  const reached = free.map(({ subscription, position }): [Subscription, Position] => [
    subscription,
    position === null || isBehind(position, next) ? next : position,
  ])
  return { names: moving.map(({ subscription }) => subscription.subscriber.name), reached: new Map(reached) }
}

const subscribersOf = (members: readonly Member[]) => members.map(({ subscription }) => subscription.subscriber)

const toFolds = (members: readonly Member[]): Fold[] =>
  members.flatMap(({ subscription: { subscriber }, pending }) =>
    subscriber.projection ? [{ projection: subscriber.projection, events: pending }] : [],
  )

/**
 * Folds the events, enqueues the jobs that they require, and moves the checkpoints, in a transaction of two or three round trips: one
 * begins it, locks and loads, one enqueues, and one writes and commits. Returns the positions that the free ones reached.
 */
const processMembers = (
  client: PoolClient,
  members: readonly Member[],
  next: Position,
  keyStore: KeyStore | undefined,
): Promise<ReadonlyMap<Subscription, Position>> =>
  rollingBack(client, async () => {
    const plan = loadTogether(toFolds(members))
    const { checkpoints, rows } = await beginTogether<{ part: number; row: Row }>(
      client,
      subscribersOf(members),
      plan?.statement,
    )
    const free = findFree(members, checkpoints)
    const { names, reached } = planMoves(free, next)
    const loaded = plan?.read(rows) ?? new Map<AnyProjection, Row[]>()
    const fold = foldTogether(client, toFolds(free), loaded, moveStatement(names, next), keyStore)
    const [write] = await allEnded([fold, ...enqueueJobs(client, free)])
    // Sent with the commit because it is all that is left to write: without it there is nothing to commit.
    await sendTogether(client, [write, 'commit'])
    return reached
  })

/** Starts the process managers among the members. */
const enqueueJobs = (client: PoolClient, members: readonly FreeMember[]): Promise<void>[] =>
  members.flatMap(({ subscription: { subscriber }, pending }) =>
    subscriber.projection ? [] : [subscriber.processEvents(client, pending)],
  )

/**
 * Waits until all have ended, and returns their results or throws the first error. A statement that one of them sends after the
 * transaction was rolled back would take effect.
 */
async function allEnded<Results extends readonly unknown[]>(running: {
  [Index in keyof Results]: Promise<Results[Index]>
}): Promise<Results> {
  await Promise.allSettled(running)
  return (await Promise.all(running)) as unknown as Results
}
