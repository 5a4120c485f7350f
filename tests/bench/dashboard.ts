import type { ComposedApp } from '#main/compose.ts'
import { AppointmentId, ReservationId, PracticeId, ProviderId } from '#contracts/values/ids.ts'
import { defaultFees } from '#contracts/values/money.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { appointmentPatientsProjection, appointmentsProjection } from '#modules/appointments/projection.ts'
import { analyticsAppointments, analyticsPatients } from '#modules/analytics/projection.ts'
import { insightAppointments } from '#modules/insights/appointments/projection.ts'
import { insightPatients } from '#modules/insights/patients/projection.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { patientCountsProjection, patientsProjection } from '#modules/patients/projection.ts'
import { createClient } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { createRandom, generatePatients } from './generated-patients.ts'
import { fillModels } from './search.ts'
import { measure, type Timing } from './timing.ts'

const patients = 10_000
const appointments = 100_000
const dayMs = 86_400_000
const fiveYearsMs = 1_826 * dayMs

type Registered = Extract<PatientEvent, { type: 'PatientRegistered' }>

const patientProjections = [patientCountsProjection, appointmentPatientsProjection, analyticsPatients]

/**
 * Measures the concurrent requests of the dashboard (figures, trends, appointments of the day, latest patients) in a
 * practice with ten thousand patients and a hundred thousand appointments.
 */
export async function benchDashboard(url: string, app: ComposedApp, seconds: number): Promise<Timing[]> {
  const { client, practice } = await newOwner({ newClient: () => createClient(url) })
  const practiceId = PracticeId.parse(practice.id)
  const known = [...generatePatients(practiceId, patients)]
  const registrations = [...spreadOverYears(known)]
  const booked = [...generateAppointments(practiceId, known)]
  await fillModels(app.services, patientProjections, practiceId, registrations)
  await fillModels(
    app.services,
    [analyticsAppointments, appointmentsProjection, insightAppointments],
    practiceId,
    booked,
  )
  await fillModels(app.services, [patientsProjection, insightPatients], practiceId, [...registrations, ...booked])
  const paths = [
    'dashboard/stats',
    'dashboard/trends?period=3months',
    'appointments/today',
    'patients?limit=5&sort=-updatedAt',
  ]
  const ask = async (path: string) => {
    const { status } = await client.get(`/api/${path}`)
    if (status !== 200) throw new Error(`${path} was answered ${status}`)
  }
  const rows: Timing[] = []
  rows.push(await measure('the dashboard, four calls at once', 1, seconds, () => Promise.all(paths.map(ask))))
  for (const path of [...paths, 'patients?limit=25&sort=-lastVisit'])
    rows.push(await measure(path, 1, seconds, () => ask(path)))
  return rows
}

/** Registers the patients over the years, not all today. */
function* spreadOverYears(came: Iterable<Registered>): Generator<Registered & { at: string }> {
  let n = 0
  for (const event of came) yield { ...event, at: new Date(Date.now() - (n++ / patients) * fiveYearsMs).toISOString() }
}

/** Generates five years of appointments, about fifty a day: most past and completed, every tenth cancelled. */
function* generateAppointments(
  practiceId: PracticeId,
  known: readonly Registered[],
): Generator<AppointmentEvent & { at: string }> {
  const next = createRandom(7)
  const types = AppointmentType.options
  const providerId = ProviderId.parse(crypto.randomUUID())
  for (let n = 0; n < appointments; n++) {
    const startsAt = new Date(Date.now() + 90 * dayMs - (1 - n / appointments) * fiveYearsMs).toISOString()
    const { patientId } = known[Math.floor(next() * known.length)]?.data ?? {}
    if (!patientId) throw new Error('an appointment needs a patient')
    const ids = { appointmentId: AppointmentId.parse(crypto.randomUUID()), patientId }
    const slot = {
      reservationId: ReservationId.parse(crypto.randomUUID()),
      providerId,
      startsAt,
      duration: 30,
      days: [startsAt.slice(0, 10)],
      overlaps: [],
    }
    const type = types[n % types.length] ?? 'check-up'
    const words = { type, reason: null, notes: null, status: 'scheduled' as const }
    const data = { ...ids, practiceId, slot, ...words, seriesId: null, waitlistEntryId: null }
    yield { type: 'AppointmentBooked', data, at: startsAt }
    const from = 'scheduled' as const
    if (next() < 0.1)
      yield {
        type: 'AppointmentCancelled',
        data: { ...ids, slot, from, isOnDayList: true, cause: 'requested', revertedCompletion: null },
        at: startsAt,
      }
    else if (startsAt < new Date().toISOString())
      yield {
        type: 'AppointmentCompleted',
        data: { ...ids, startsAt, from, type, fee: defaultFees[type], completedAt: startsAt },
        at: startsAt,
      }
  }
}
