import { defineProjection } from '#projections/projection.ts'
import type { CalendarFeedEndReason, CalendarFeedEvent } from './events.ts'

type FeedRow = {
  id: string
  practice_id: string
  provider_id: string
  label: string
  secret_hash: string
  created_by: string
  created_at: string
  ended_at: string | null
  end_reason: CalendarFeedEndReason | null
}

/** The calendar feeds that are not revoked, one row each. */
export const calendarFeedsProjection = defineProjection<CalendarFeedEvent, FeedRow>({
  name: 'calendar_feeds',
  version: 3,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    provider_id: 'uuid',
    label: 'text',
    secret_hash: 'text',
    created_by: 'uuid',
    created_at: 'timestamptz',
    ended_at: 'timestamptz',
    end_reason: 'text',
  },
  key: 'id',
  indexes: ['(practice_id, created_at)', '(secret_hash)', '(id) where ended_at is null'],
  rowOf: ({ data }) => data.calendarFeedId,
  on: {
    CalendarFeedCreated: (_, { data, metadata }) => ({
      id: data.calendarFeedId,
      practice_id: data.practiceId,
      provider_id: data.providerId,
      label: data.label,
      secret_hash: data.secretHash,
      created_by: data.createdBy,
      created_at: metadata.at,
      ended_at: null,
      end_reason: null,
    }),
    CalendarFeedEnded: (row, { data, metadata }) => row && { ...row, ended_at: metadata.at, end_reason: data.reason },
    CalendarFeedRevoked: () => null,
  },
})
