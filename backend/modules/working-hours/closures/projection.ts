import { defineProjection } from '#projections/projection.ts'
import type { ClosureEvent } from './events.ts'

type ClosureRow = {
  id: string
  practice_id: string
  provider_id: string | null
  name: string | null
  first_date: string
  last_date: string
  revision: number
}

/** The holidays and days off that are not removed, one row each. */
export const closuresProjection = defineProjection<ClosureEvent, ClosureRow>({
  name: 'closures',
  version: 1,
  key: 'id',
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    provider_id: 'uuid',
    name: 'text',
    first_date: 'date',
    last_date: 'date',
    revision: 'int4',
  },
  indexes: ['(practice_id, last_date)'],
  rowOf: ({ data }) => data.closureId,
  on: {
    ClosureAdded: (_, { data, revision }) => ({
      id: data.closureId,
      practice_id: data.practiceId,
      provider_id: data.providerId,
      name: data.name,
      first_date: data.from,
      last_date: data.until,
      revision: Number(revision),
    }),
    ClosureChanged: (row, { data: { to }, revision }) =>
      row && {
        ...row,
        ...(to.name === undefined ? {} : { name: to.name }),
        ...(to.from === undefined ? {} : { first_date: to.from }),
        ...(to.until === undefined ? {} : { last_date: to.until }),
        revision: Number(revision),
      },
    ClosureRemoved: () => null,
  },
})
