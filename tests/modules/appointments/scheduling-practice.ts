import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { newOwner } from '#tests/support/practice.ts'
import type { TestApp } from '#tests/support/test-app.ts'

/** Creates a practice whose owner is a provider, with one patient. */
export async function newSchedulingPractice(app: TestApp, over: Record<string, unknown> = {}) {
  const owner = await newOwner(app, over)
  const { client } = owner
  const [provider] = (await client.get('/api/providers')).body as Provider[]
  if (!provider) throw new Error('The owner is the first provider')
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
  const patientId = patient.body.id as string

  /** Sends a confirmed booking for a local time of the practice, and returns the reply. */
  const tryBooking = (appointmentDate: string, more: Record<string, unknown> = {}) =>
    client.post('/api/appointments', {
      patientId,
      appointmentDate,
      type: 'consultation',
      confirmed: BookingConcern.options,
      ...more,
    })

  /** Books at a local time of the practice. Throws when the booking is refused. */
  async function book(appointmentDate: string, more: Record<string, unknown> = {}): Promise<Appointment> {
    const reply = await tryBooking(appointmentDate, more)
    if (reply.status !== 201) throw new Error(`book: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as Appointment
  }

  /** Lists the appointments between two instants. */
  async function listAppointments(from: string, until: string, filter = ''): Promise<Appointment[]> {
    const reply = await client.get(`/api/appointments?startDate=${from}&endDate=${until}${filter}`)
    if (reply.status !== 200) throw new Error(`list: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as Appointment[]
  }

  return { ...owner, provider, patientId, tryBooking, book, listAppointments }
}
