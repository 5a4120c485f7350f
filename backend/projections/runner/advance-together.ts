import type { ClientBase, Pool } from 'pg'
import { withConnection } from '#database/pool.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { type Fold, foldTogether } from '#projections/fold.ts'
import { isBehind } from '#projections/position.ts'
import { type Batch, selectPending } from './advance.ts'
import { inCheckpointTransaction, lockCheckpoints, moveCheckpoints } from './checkpoints.ts'
import type { CheckpointOwner } from './subscriber.ts'
import type { Subscription } from './subscription.ts'

/** Longer batches are processed by each alone, several at a time: their rows cost more than their transactions. */
const maxEventsTogether = 50

/** A subscription with the events of the batch that it handles. */
type Member = { subscription: Subscription; pending: readonly Recorded[] }

/**
 * Processes a short batch for all projections, or all process managers, in one transaction (ADR 37): they do not share it, because
 * process managers commit durably. Returns those that have advanced. The others advance alone afterwards: those whose checkpoint
 * another instance holds, and after an error all of them, so that only the one at fault fails.
 */
export async function advanceTogether(
  { pool, store, keyStore }: { pool: Pool; store: EventStore; keyStore?: KeyStore | undefined },
  subscriptions: readonly Subscription[],
  kind: CheckpointOwner['kind'],
  batch: Batch,
): Promise<ReadonlySet<Subscription>> {
  if (batch.events.length > maxEventsTogether) return new Set()
  try {
    const members = await findMembers(
      store,
      subscriptions.filter(({ subscriber }) => subscriber.kind === kind),
      batch,
    )
    if (members.length < 2) return new Set()
    const reached = await withConnection(pool, (client) =>
      inCheckpointTransaction(client, { kind }, () => processTogether(client, members, batch.next, keyStore)),
    )
    for (const [subscription, position] of reached) {
      subscription.position = position
      subscription.savedPosition = position
    }
    return new Set(reached.keys())
  } catch {
    return new Set()
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

/** Processes the events and moves the checkpoints that are free and where this process left them. Returns the positions that they reached. */
async function processTogether(
  client: ClientBase,
  members: readonly Member[],
  next: Position,
  keyStore: KeyStore | undefined,
): Promise<Map<Subscription, Position>> {
  const subscribers = members.map(({ subscription }) => subscription.subscriber)
  const checkpoints = await lockCheckpoints(client, subscribers)
  const reached = new Map<Subscription, Position>()
  const moved: string[] = []
  const folds: Fold[] = []
  for (const { subscription, pending } of members) {
    const { subscriber, savedPosition } = subscription
    const position = checkpoints.get(subscriber.name)
    if (position === undefined || isBehind(position, savedPosition)) continue
    const events = pending.filter((event) => isBehind(position, event.position))
    if (subscriber.projection) folds.push({ projection: subscriber.projection, events })
    // oxlint-disable-next-line no-await-in-loop -- one connection
    else await subscriber.processEvents(client, events)
    if (isBehind(position, next)) moved.push(subscriber.name)
    reached.set(subscription, position === null || isBehind(position, next) ? next : position)
  }
  await foldTogether(client, folds, keyStore)
  if (moved.length > 0) await moveCheckpoints(client, moved, next)
  return reached
}
