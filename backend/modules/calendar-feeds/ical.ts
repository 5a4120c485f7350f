import ical, { escape, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { FeedAppointment } from '#modules/appointments/public.ts'

/** Refresh interval proposed to calendar programs, in seconds. */
const refreshIntervalSeconds = 15 * 60

/**
 * Renders appointments as a calendar (RFC 5545). Times are in UTC; calendar programs convert them. Of the patient it
 * contains only the initials.
 */
export function renderCalendar(providerName: string, appointments: readonly FeedAppointment[]): string {
  const calendar = ical({
    // The only text that the library does not escape.
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
