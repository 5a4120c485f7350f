import type { Position } from '#eventstore/event.ts'
import { isBehind } from '#projections/position.ts'
import type { Subscriber } from './subscriber.ts'

/** The progress of a subscriber, as last seen by this process. */
export type Subscription = {
  readonly subscriber: Subscriber
  position: Position | null
  /** The position last seen in the checkpoint row; lags behind `position` while no event is handled. */
  savedPosition: Position | null
  /** `superseded`: an instance with another version has taken over the table. */
  state: 'running' | 'rebuilding' | 'failed' | 'superseded'
  /** The ids of skipped events; null until they are loaded. */
  skippedIds: ReadonlySet<string> | null
}

/** Returns whether it still advances: it has neither failed nor been superseded. */
export const isActive = ({ state }: Subscription): boolean => state === 'running' || state === 'rebuilding'

/** Returns whether nothing is left to wait for: it is at the position, or it no longer advances. */
export const hasReached = (subscription: Subscription, position: Position): boolean =>
  !isActive(subscription) || !isBehind(subscription.position, position)

/** Returns the subscriptions that share the highest position. */
export function selectLeading(subscriptions: readonly Subscription[]): Subscription[] {
  const [first, ...others] = subscriptions
  if (!first) return []
  let { position } = first
  for (const other of others) if (isBehind(position, other.position)) position = other.position
  return subscriptions.filter((subscription) => subscription.position === position)
}

/** Restricts a read to event types, and to events without their encrypted fields. Everything when empty. */
export type EventFilter = { types?: readonly string[]; metadataOnly?: boolean }

/** Returns the filter that passes every event that one of the subscriptions handles. */
export const combineFilters = (subscriptions: readonly Subscription[]): EventFilter => ({
  types: [...new Set(subscriptions.flatMap(({ subscriber }) => [...subscriber.eventTypes]))],
  metadataOnly: subscriptions.every(({ subscriber }) => subscriber.isMetadataOnly),
})
