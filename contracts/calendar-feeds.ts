import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarFeedId, ProviderId } from './values/ids.ts'
import { line } from './values/text.ts'

/** A private address from which a calendar program reads one provider's appointments. The address itself is told only once. */
export const CalendarFeed = z.object({
  id: CalendarFeedId,
  providerId: ProviderId,
  /** Where it is used: "Phone", "Outlook at home". */
  label: z.string(),
  createdAt: z.string(),
  /** Who made it; null when they are not known any more. */
  createdBy: z.string().nullable(),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

export const listCalendarFeeds = endpoint({
  method: 'GET',
  path: '/api/calendar-feeds',
  access: { permission: 'scheduling' },
  reply: z.array(CalendarFeed),
})

/** `path` holds the secret, to be put behind the address of the installation: it is shown now and never again. */
export const createCalendarFeed = endpoint({
  method: 'POST',
  path: '/api/calendar-feeds',
  access: { permission: 'scheduling' },
  body: z.strictObject({
    providerId: ProviderId,
    label: line(60).pipe(z.string().min(1, 'Please say where it will be used')),
  }),
  reply: CalendarFeed.extend({ path: z.string() }),
  status: 201,
})

/** From then on the address answers 404. */
export const revokeCalendarFeed = endpoint({
  method: 'DELETE',
  path: '/api/calendar-feeds/:calendarFeedId',
  access: { permission: 'scheduling' },
  params: z.object({ calendarFeedId: CalendarFeedId }),
  reply: z.null(),
})

/** RFC 5545, initials only, the last 31 days and the next 366. Needs no session; 404 for a secret that nobody has (any more). */
export const calendarFeed = endpoint({
  method: 'GET',
  path: '/api/appointments/calendar.ics',
  access: 'public',
  query: z.object({ token: z.string().max(200).default('') }),
  reply: z.string(),
})
