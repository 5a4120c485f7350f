import type { ChangeHint } from '#contracts/changes.ts'
import { collectEventSchemas, getEventType } from '#eventstore/event-schemas.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { Module } from '#modules/module.ts'

type HintKind = ChangeHint['kind']

/** Returns the kinds of data on screens that an event makes stale; none for an event that no screen shows directly. */
export type FindHintKinds = (event: Pick<Recorded, 'type' | 'metadata'>) => readonly HintKind[]

/** Like `FindHintKinds`; with `userId`, without personal data of other users. */
export type FindHintKindsFor = (...args: [...Parameters<FindHintKinds>, userId?: string]) => readonly HintKind[]

type Declaring = Pick<Module, 'liveUpdates'>

const listEntries = (modules: readonly Declaring[]) =>
  modules
    .flatMap(({ liveUpdates = [] }) => liveUpdates)
    .flatMap((update) =>
      update.events.flatMap(collectEventSchemas).map((schema) => ({ type: getEventType(schema), update })),
    )

/** Returns the types of the events that make data on screens stale. */
export const listHintTypes = (modules: readonly Declaring[]): string[] => [
  ...new Set(listEntries(modules).map(({ type }) => type)),
]

/** Builds the mapping from events to kinds of hint that the modules declare as `liveUpdates`. */
export function createHintKinds(modules: readonly Declaring[]): FindHintKindsFor {
  const entries = listEntries(modules)
  const entriesByType = Map.groupBy(entries, ({ type }) => type)
  return ({ type, metadata: { actor, sample } }, userId) => {
    const isForUser = userId === undefined || (actor.kind === 'user' && actor.userId === userId)
    return (entriesByType.get(type) ?? []).flatMap(({ update }) =>
      (!sample || update.includesSamples) && (isForUser || !update.onlyForActor) ? update.kinds : [],
    )
  }
}

/** Returns the start instants of the appointments that an event mentions, before and after a change. */
export function extractStartInstants({ data }: Pick<Recorded, 'data'>): string[] {
  const slots = [data, data['slot'], data['from'], data['to']]
  return slots.flatMap((slot) => {
    const startsAt = (slot as { startsAt?: unknown } | null | undefined)?.startsAt
    return typeof startsAt === 'string' ? [startsAt] : []
  })
}

/**
 * Merges the events of a practice into one hint per kind. Dates are given only if every event names one; otherwise a screen
 * would take all other dates for unchanged.
 */
export function toChangeHints(
  events: readonly Recorded[],
  findKinds: FindHintKinds,
  toLocalDate: (instant: string) => string,
): ChangeHint[] {
  const changes = events.flatMap((event) => findKinds(event).map((kind) => ({ kind, event })))
  return [...Map.groupBy(changes, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const instants = ofKind.map(({ event }) => extractStartInstants(event))
    if (kind !== 'appointments' || instants.some((starts) => starts.length === 0)) return { kind }
    return { kind, dates: [...new Set(instants.flat().map(toLocalDate))].toSorted() }
  })
}
