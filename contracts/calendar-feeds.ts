import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarFeedId, ProviderId } from './values/ids.ts'
import { line } from './values/text.ts'

/** A private address from which a calendar program reads one provider's appointments. It is shown only once, when created. */
export const CalendarFeed = z.object({
  id: CalendarFeedId,
  providerId: ProviderId,
  /** The device or program that uses it: "Phone", "Outlook at home". */
  label: z.string(),
  createdAt: z.string(),
  /** The name of the user who created it; null when the user is no longer known. */
  createdBy: z.string().nullable(),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

/** Lists the calendar feeds that are not revoked. */
export const listCalendarFeeds = endpoint({
  method: 'GET',
  path: '/api/calendar-feeds',
  access: { permission: 'scheduling' },
  reply: z.array(CalendarFeed),
})

/** Creates a calendar feed. `path` contains the secret and is relative to the installation's address; it is never shown again. */
export const createCalendarFeed = endpoint({
  method: 'POST',
  path: '/api/calendar-feeds',
  access: { permission: 'scheduling' },
  body: z.strictObject({
    providerId: ProviderId,
    label: line(60).pipe(z.string().min(1, 'Please enter where it will be used')),
  }),
  reply: CalendarFeed.extend({ path: z.string() }),
  status: 201,
})

/** Revokes a calendar feed: its address returns 404 from now on. */
export const revokeCalendarFeed = endpoint({
  method: 'DELETE',
  path: '/api/calendar-feeds/:calendarFeedId',
  access: { permission: 'scheduling' },
  params: z.object({ calendarFeedId: CalendarFeedId }),
  reply: z.null(),
})

/** Renders the calendar (RFC 5545) of the last 31 and next 366 days, with initials only. Needs no session; 404 for an unknown or revoked secret. */
export const calendarFeed = endpoint({
  method: 'GET',
  path: '/api/appointments/calendar.ics',
  access: 'public',
  query: z.object({ token: z.string().max(200).default('') }),
  reply: z.string(),
})
