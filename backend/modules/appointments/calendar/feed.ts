import ical, { escape, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { FeedVisit } from './queries.ts'

/** How often calendar programs are asked to look, in seconds. */
const refreshIntervalSeconds = 15 * 60

/**
 * Visits as a calendar (RFC 5545). Times are in UTC, which every program shows on its own clocks; of the patient there is
 * nothing but the initials.
 */
export function renderCalendar(providerName: string, visits: readonly FeedVisit[]): string {
  const calendar = ical({
    // The one text that the library writes as it is.
    name: escape(`Everchart, ${providerName}`, false),
    prodId: { company: 'Everchart', product: 'Appointments', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshIntervalSeconds,
  })
  for (const visit of visits)
    calendar.createEvent({
      id: `${visit.id}@everchart`,
      sequence: visit.revision,
      stamp: new Date(visit.updatedAt),
      created: new Date(visit.createdAt),
      lastModified: new Date(visit.updatedAt),
      start: new Date(visit.startsAt),
      end: new Date(visit.endsAt),
      summary: visit.initials || 'Visit',
      status: visit.status === 'scheduled' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    })
  return calendar.toString()
}
