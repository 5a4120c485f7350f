import type { Recorded } from '#eventstore/event.ts'
import { defineProjection } from '#projections/projection.ts'
import type { ProviderEvent } from './events.ts'

type ProviderRow = {
  id: string
  practice_id: string
  user_id: string | null
  name: string
  title: string | null
  colour: string
  active: boolean
  /** The time zone of the days of the schedule. */
  timezone: string
  revision: number
  created_at: string
  updated_at: string
}

const updateRow = (row: ProviderRow | null, { revision, metadata }: Recorded, to: Partial<ProviderRow>) =>
  row && { ...row, ...to, revision: Number(revision), updated_at: metadata.at }

/** One row per provider. */
export const providersProjection = defineProjection<ProviderEvent, ProviderRow>({
  name: 'providers',
  version: 1,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    user_id: 'uuid',
    name: 'text',
    title: 'text',
    colour: 'text',
    active: 'bool',
    timezone: 'text',
    revision: 'int8',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  key: 'id',
  indexes: ['(practice_id, created_at)'],
  rowOf: ({ data }) => data.providerId,
  on: {
    ProviderAdded: (_, { data, metadata, revision }) => ({
      id: data.providerId,
      practice_id: data.practiceId,
      user_id: data.userId,
      name: data.name,
      title: data.title,
      colour: data.colour,
      active: true,
      timezone: data.timezone,
      revision: Number(revision),
      created_at: metadata.at,
      updated_at: metadata.at,
    }),
    ProviderDetailsChanged: (row, event) => {
      const { name, title, colour } = event.data.to
      return updateRow(row, event, {
        ...(name === undefined ? {} : { name }),
        ...(title === undefined ? {} : { title }),
        ...(colour === undefined ? {} : { colour }),
      })
    },
    ProviderDeactivated: (row, event) => updateRow(row, event, { active: false }),
    ProviderReactivated: (row, event) => updateRow(row, event, { active: true }),
  },
})
