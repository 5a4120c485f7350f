import type { ChangeHint } from '#contracts/changes.ts'
import type { Recorded } from '#eventstore/event.ts'

const kinds: Readonly<Record<string, ChangeHint['kind']>> = {
  appointment: 'appointments',
  patient: 'patients',
  import: 'imports',
  provider: 'providers',
  waitlist: 'waitlist',
  practice: 'practice',
  fees: 'practice',
  calendar_feed: 'practice',
}

/** What screens show of a fact; undefined for what no screen shows by itself. */
export const kindOf = ({ stream }: Pick<Recorded, 'stream'>): ChangeHint['kind'] | undefined =>
  kinds[stream.slice(0, stream.indexOf('-'))]

/** The instants at which the visits of a fact are or were; none when it does not say. */
export function instantsIn({ data }: Pick<Recorded, 'data'>): string[] {
  const places = [data, data['place'], data['from'], data['to']]
  return places.flatMap((place) => {
    const startsAt = (place as { startsAt?: unknown } | null | undefined)?.startsAt
    return typeof startsAt === 'string' ? [startsAt] : []
  })
}

/**
 * One hint a kind from everything that happened in a practice. Days only where every fact names one: else a screen would
 * believe that the others did not change.
 */
export function hintsOf(events: readonly Recorded[], dayOf: (instant: string) => string): ChangeHint[] {
  const byKind = Map.groupBy(events, kindOf)
  return [...byKind].flatMap(([kind, facts]) => {
    if (kind === undefined) return []
    const instants = facts.map(instantsIn)
    if (kind !== 'appointments' || instants.some((each) => each.length === 0)) return [{ kind }]
    return [{ kind, dates: [...new Set(instants.flat().map(dayOf))].toSorted() }]
  })
}
