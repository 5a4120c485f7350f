import { z } from 'zod'
import { CalendarFeedId, PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const calendarFeedId = CalendarFeedId

/** A calendar feed: a private address that a calendar program reads. Only a keyed hash of its secret is stored. */
export const CalendarFeedEvent = z.discriminatedUnion('type', [
  event('CalendarFeedCreated', {
    calendarFeedId,
    practiceId: PracticeId,
    providerId: ProviderId,
    label: z.string().min(1),
    secretHash: z.string().min(1),
    createdBy: UserId,
  }),
  event('CalendarFeedRevoked', { calendarFeedId }),
  /** The user who created it left the practice, or may no longer create calendar feeds. It stays ended if that changes. */
  event('CalendarFeedEnded', { calendarFeedId, reason: z.enum(['creator-left', 'permission-lost']) }),
])
export type CalendarFeedEvent = z.infer<typeof CalendarFeedEvent>
export type CalendarFeedEndReason = Extract<CalendarFeedEvent, { type: 'CalendarFeedEnded' }>['data']['reason']
