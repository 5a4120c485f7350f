import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { newOwner } from '#tests/support/practice.ts'
import type { TestApp } from '#tests/support/test-app.ts'

/** A practice that takes appointments: its owner, who sees patients, and a patient. */
export async function newSchedulingPractice(app: TestApp, over: Record<string, unknown> = {}) {
  const owner = await newOwner(app, over)
  const { client } = owner
  const [provider] = (await client.get('/api/providers')).body as Provider[]
  if (!provider) throw new Error('The owner sees patients')
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
  const patientId = patient.body.id as string

  /** Books at a time on the practice's clocks, or says why not. */
  const tryBooking = (appointmentDate: string, more: Record<string, unknown> = {}) =>
    client.post('/api/appointments', { patientId, appointmentDate, type: 'consultation', ...more })

  async function book(appointmentDate: string, more: Record<string, unknown> = {}): Promise<Appointment> {
    const answer = await tryBooking(appointmentDate, more)
    if (answer.status !== 201) throw new Error(`book: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Appointment
  }

  /** The appointments on a day of the practice's calendar whose clocks show UTC plus `hours`. */
  async function listed(from: string, until: string, filter = ''): Promise<Appointment[]> {
    const answer = await client.get(`/api/appointments?startDate=${from}&endDate=${until}${filter}`)
    if (answer.status !== 200) throw new Error(`list: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Appointment[]
  }

  return { ...owner, provider, patientId, tryBooking, book, listed }
}
