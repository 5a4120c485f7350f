import { defaultWeek, type WeekHours } from '#contracts/values/working-hours.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { ProviderEvent } from '#modules/providers/events.ts'
import type { ClosureEvent } from '#modules/working-hours/closures/events.ts'
import type { WorkingHoursEvent } from '#modules/working-hours/events.ts'
import { defineProjection } from '#projections/projection.ts'

/** Days on which the practice (`providerId` null) or one provider does not work; local dates, both included. */
type ClosedRange = { providerId: string | null; from: string; until: string }

type WorkingProvider = { id: string; since: string }

type PracticeRow = {
  practice_id: string
  /** Null until the practice sets its hours. */
  week: WeekHours | null
  /** The providers who see patients, and the date (UTC) since which they do. */
  providers: readonly WorkingProvider[]
  /** The holidays and days off by id. */
  closures: Readonly<Record<string, ClosedRange>>
}

type WorkingTimeEvent = ProviderEvent | WorkingHoursEvent | ClosureEvent

/** Returns the row with some changes; the first event of a practice creates it. */
const withWorkingTime = (
  row: PracticeRow | null,
  practiceId: string,
  change: (row: PracticeRow) => Partial<PracticeRow>,
): PracticeRow => {
  const before = row ?? { practice_id: practiceId, week: null, providers: [], closures: {} }
  return { ...before, ...change(before) }
}

const addProvider =
  ({ data: { providerId }, metadata }: Pick<Recorded<ProviderEvent>, 'data' | 'metadata'>) =>
  ({ providers }: PracticeRow) => ({
    providers: [...providers, { id: providerId, since: metadata.at.slice(0, 10) }],
  })

/** The working time of the practices: how many hours could have been booked. */
export const insightPractices = defineProjection<WorkingTimeEvent, PracticeRow>({
  name: 'insight_practices',
  version: 1,
  isMetadataOnly: true,
  columns: { practice_id: 'uuid', week: 'jsonb', providers: 'jsonb', closures: 'jsonb' },
  key: 'practice_id',
  rowOf: ({ metadata }) => metadata.practiceId,
  on: {
    WorkingHoursChanged: (row, { data: { to } }, key) =>
      withWorkingTime(row, key, ({ week }) => ({ week: { ...(week ?? defaultWeek), ...to } })),
    ProviderAdded: (row, event, key) => withWorkingTime(row, key, addProvider(event)),
    ProviderReactivated: (row, event, key) => withWorkingTime(row, key, addProvider(event)),
    ProviderDeactivated: (row, { data: { providerId } }, key) =>
      withWorkingTime(row, key, ({ providers }) => ({ providers: providers.filter(({ id }) => id !== providerId) })),
    ProviderDetailsChanged: 'ignore',
    ClosureAdded: (row, { data: { closureId, providerId, from, until } }, key) =>
      withWorkingTime(row, key, ({ closures }) => ({
        closures: { ...closures, [closureId]: { providerId, from, until } },
      })),
    ClosureChanged: (row, { data: { closureId, to } }, key) =>
      withWorkingTime(row, key, ({ closures }) => {
        const before = closures[closureId]
        if (!before) return {}
        const { from = before.from, until = before.until } = to
        return { closures: { ...closures, [closureId]: { ...before, from, until } } }
      }),
    ClosureRemoved: (row, { data: { closureId } }, key) =>
      withWorkingTime(row, key, ({ closures: { [closureId]: _, ...others } }) => ({ closures: others })),
  },
})
