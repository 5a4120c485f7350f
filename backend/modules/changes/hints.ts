import type { ChangeHint } from '#contracts/changes.ts'
import type { Recorded } from '#eventstore/event.ts'

type HintKinds = readonly ChangeHint['kind'][]

const kindsByCategory: Readonly<Record<string, HintKinds>> = {
  appointment: ['appointments'],
  patient: ['patients'],
  import: ['imports'],
  provider: ['providers'],
  waitlist: ['waitlist'],
  practice: ['practice'],
  fees: ['practice'],
  calendar_feed: ['practice'],
  subscription: ['subscription'],
}
const kindsBySampleEvent: Readonly<Record<string, HintKinds>> = {
  SamplePracticeSeeded: ['patients', 'appointments'],
  SamplePracticeRemoved: ['patients', 'appointments'],
}

/**
 * What screens show of a fact; nothing for what no screen shows by itself. A sample practice comes and goes at once: hundreds
 * of facts, told with the last of them.
 */
export const findHintKinds = ({ stream, type, metadata }: Pick<Recorded, 'stream' | 'type' | 'metadata'>): HintKinds =>
  (metadata.sample ? kindsBySampleEvent[type] : kindsByCategory[stream.slice(0, stream.indexOf('-'))]) ?? []

/** The instants at which the appointments of a fact are or were; none when it does not say. */
export function extractStartInstants({ data }: Pick<Recorded, 'data'>): string[] {
  const slots = [data, data['slot'], data['from'], data['to']]
  return slots.flatMap((slot) => {
    const startsAt = (slot as { startsAt?: unknown } | null | undefined)?.startsAt
    return typeof startsAt === 'string' ? [startsAt] : []
  })
}

/**
 * One hint a kind from everything that happened in a practice. Days only where every fact names one: else a screen would
 * believe that the others did not change.
 */
export function toChangeHints(events: readonly Recorded[], dayOf: (instant: string) => string): ChangeHint[] {
  const shown = events.flatMap((event) => findHintKinds(event).map((kind) => ({ kind, event })))
  return [...Map.groupBy(shown, ({ kind }) => kind)].map(([kind, facts]) => {
    const instants = facts.map(({ event }) => extractStartInstants(event))
    if (kind !== 'appointments' || instants.some((each) => each.length === 0)) return { kind }
    return { kind, dates: [...new Set(instants.flat().map(dayOf))].toSorted() }
  })
}
