import ical, { escape, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { FeedAppointment } from './queries.ts'

/** How often calendar programs are asked to look, in seconds. */
const refreshIntervalSeconds = 15 * 60

/**
 * Appointments as a calendar (RFC 5545). Times are in UTC, which every program shows on its own clocks; of the patient there is
 * nothing but the initials.
 */
export function renderCalendar(providerName: string, appointments: readonly FeedAppointment[]): string {
  const calendar = ical({
    // The one text that the library writes as it is.
    name: escape(`Everchart, ${providerName}`, false),
    prodId: { company: 'Everchart', product: 'Appointments', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshIntervalSeconds,
  })
  for (const appointment of appointments)
    calendar.createEvent({
      id: `${appointment.id}@everchart`,
      sequence: appointment.revision,
      stamp: new Date(appointment.updatedAt),
      created: new Date(appointment.createdAt),
      lastModified: new Date(appointment.updatedAt),
      start: new Date(appointment.startsAt),
      end: new Date(appointment.endsAt),
      summary: appointment.initials || 'Appointment',
      status: appointment.status === 'scheduled' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    })
  return calendar.toString()
}
