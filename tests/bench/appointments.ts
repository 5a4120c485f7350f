import { BookingConcern } from '#contracts/values/appointments.ts'
import { createClient } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { measure, type Timing } from './timing.ts'

const durationMinutes = 15
const slotsPerDay = (24 * 60) / durationMinutes
const firstDay = Date.UTC(2031, 0, 1)

/** Measures requests that book an appointment without overlaps and that read a day with a hundred appointments. */
export async function benchAppointments(url: string, seconds: number): Promise<Timing[]> {
  const { client } = await newOwner({ newClient: () => createClient(url) }, { timezone: 'UTC' })
  await client.get('/api/providers')
  const patient = await client.post('/api/patients', { firstName: 'Bench', lastName: 'Patient' })
  const patientId = patient.body.id as string
  let booked = 0
  const book = async (startsAt: number, more: object = {}) => {
    const appointmentDate = new Date(startsAt).toISOString()
    const confirmed = BookingConcern.options
    const body = { patientId, appointmentDate, duration: durationMinutes, type: 'check-up', confirmed, ...more }
    const { status } = await client.post('/api/appointments', body)
    if (status !== 201) throw new Error(`an appointment was answered ${status}`)
  }
  /** Fills one day after the other. */
  const next = () => book(firstDay + booked++ * durationMinutes * 60_000)
  const full = Date.UTC(2030, 0, 7)
  for (let n = 0; n < 100; n++) {
    // The same type would be the same appointment again.
    const type = n < slotsPerDay ? 'check-up' : 'follow-up'
    await book(full + (n % slotsPerDay) * durationMinutes * 60_000, { allowOverlap: true, type })
  }
  const day = `startDate=${new Date(full).toISOString()}&endDate=${new Date(full + 86_399_999).toISOString()}`
  const read = async () => {
    const { body, status } = await client.get(`/api/appointments?${day}`)
    if (status !== 200 || (body as unknown[]).length !== 100) throw new Error(`a day was answered ${status}`)
  }
  const rows: Timing[] = []
  for (const clients of [1, 8]) {
    rows.push(await measure('book an appointment', clients, seconds, next))
    rows.push(await measure('a day of 100 appointments', clients, seconds, read))
  }
  return rows
}
