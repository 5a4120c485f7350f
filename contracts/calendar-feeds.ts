import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarFeedId, ProviderId } from './values/ids.ts'
import { line } from './values/text.ts'

/** Days after which a calendar feed expires. */
export const calendarFeedDays = 365

/** The owner and administrators create and revoke them: its address shows appointments without a session. */
const access = { permission: 'settings' } as const

/** A private address from which a calendar program reads one provider's appointments. It is shown only once, when created. */
export const CalendarFeed = z.object({
  id: CalendarFeedId,
  providerId: ProviderId,
  /** The device or program that uses it: "Phone", "Outlook at home". */
  label: z.string(),
  createdAt: z.string(),
  /** The instant from which its address returns 404. */
  expiresAt: z.string(),
  /** The name of the user who created it; null when the user is no longer known. */
  createdBy: z.string().nullable(),
  /**
   * The instant and the reason of its end, which is for good: its creator left the practice or may no longer create feeds.
   * Null while its address works.
   */
  ended: z.object({ at: z.string(), reason: z.enum(['creator-left', 'permission-lost']) }).nullable(),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

/** Lists the calendar feeds that can still be read, and those that ended within the year after their creation. */
export const listCalendarFeeds = endpoint({
  method: 'GET',
  path: '/api/calendar-feeds',
  access,
  reply: z.array(CalendarFeed),
})

/** Creates a calendar feed. `path` contains the secret and is relative to the installation's address; it is never shown again. */
export const createCalendarFeed = endpoint({
  method: 'POST',
  path: '/api/calendar-feeds',
  access,
  body: z.strictObject({
    providerId: ProviderId,
    label: line(60).pipe(z.string().min(1, 'Please enter where it will be used')),
  }),
  reply: CalendarFeed.extend({ path: z.string() }),
  status: 201,
})

/** Revokes a calendar feed: its address returns 404 from now on, and it is no longer listed. */
export const revokeCalendarFeed = endpoint({
  method: 'DELETE',
  path: '/api/calendar-feeds/:calendarFeedId',
  access,
  params: z.object({ calendarFeedId: CalendarFeedId }),
  reply: z.null(),
})

/**
 * Renders the calendar (RFC 5545) of the last 31 and next 366 days, with initials only. Needs no session; 404 for a secret that
 * is unknown, revoked, expired or ended, 503 while read models are behind. A feed ends when its creator leaves the practice or
 * may no longer create feeds.
 */
export const calendarFeed = endpoint({
  method: 'GET',
  path: '/api/calendars/:secret/appointments.ics',
  access: 'public',
  params: z.object({ secret: z.string().min(1).max(200) }),
  reply: z.string(),
  contentType: 'text/calendar; charset=utf-8',
})
