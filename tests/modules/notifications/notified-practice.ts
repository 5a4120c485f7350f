import type { Notification } from '#contracts/notifications.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { addDays, toInstant, toLocalDateTime } from '#contracts/values/calendar.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import type { TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

/** The time zone of the practices. */
export const zone = 'America/New_York'

/** Moves the clock to nine o'clock in the morning of the practices, so that there is a rest of the day. */
export function startAtNine(app: TestApp): void {
  const now = app.services.clock()
  const { date, time } = toLocalDateTime(now, zone)
  const nine = toInstant(time < '09:00' ? date : addDays(date, 1), '09:00', zone)
  app.advanceClock(Date.parse(nine) - now.getTime())
}

/** Returns the first page of a person's notifications. */
export const listNotifications = async (client: Client, query = '') =>
  (await client.get(`/api/notifications${query}`)).body as {
    items: Notification[]
    unread: number
    next: string | null
  }

/**
 * Creates a practice with a nurse and a doctor, and how the nurse books and cancels appointments. The returned client is an
 * administrator who joined after them, and so is not notified of that.
 */
export async function newNotifiedPractice(app: TestApp) {
  const fixture = await newSchedulingPractice(app, { selectedPlan: 'starter' })
  const nurse = await newMember(app, fixture.practice.id, 'nurse')
  const doctor = await newMember(app, fixture.practice.id, 'doctor')
  const administrator = await newMember(app, fixture.practice.id, 'administrator')
  const today = () => toLocalDateTime(app.services.clock(), zone).date

  /** Books as the nurse at a local time, `days` from today. */
  async function book(time: string, days = 0, more: object = {}): Promise<{ id: string }> {
    const body = {
      patientId: fixture.patientId,
      appointmentDate: `${addDays(today(), days)}T${time}`,
      type: 'consultation',
      duration: 30,
      confirmed: BookingConcern.options,
      allowOverlap: true,
      ...more,
    }
    const reply = await nurse.client.post('/api/appointments', body)
    if (reply.status !== 201) throw new Error(`book: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as { id: string }
  }

  /** Cancels as the nurse. */
  const cancel = (id: string) => nurse.client.patch(`/api/appointments/${id}`, { status: 'cancelled' })

  return { ...fixture, ...administrator, nurse, doctor, today, book, cancel }
}
