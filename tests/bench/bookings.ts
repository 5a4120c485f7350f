import { setTimeout as sleep } from 'node:timers/promises'
import { BookingConcern } from '#contracts/values/appointments.ts'
import type { ComposedApp } from '#main/compose.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { createClient } from '#tests/support/client.ts'
import { listStatements } from '#tests/support/list-statements.ts'
import { measure, type Timing } from './timing.ts'

const patients = 100
const durationMinutes = 15
const firstDay = Date.UTC(2031, 0, 1)

/** Minutes from one booking to the next, so that the days fill as slowly as those of a practice. */
const stepMinutes = 45

/** The jobs that follow a booking, the last of them ten seconds later. */
const jobs = ['confirm-reservation', 'plan-confirmations']

type Row = Timing & { statements: number; cpuMs: number }

/**
 * Books appointments of a practice with a plan, and waits for the jobs that follow. Per booking, jobs included: the statements of the
 * application, and the processor time of this process, which is client and application.
 */
export async function benchBookings(url: string, { services }: ComposedApp, seconds: number): Promise<Row[]> {
  const { client } = await newSubscriber({ newClient: () => createClient(url) })
  const patientIds: string[] = []
  for (let n = 0; n < patients; n++) {
    const { body } = await client.post('/api/patients', { firstName: 'Bench', lastName: `Patient ${n}` })
    patientIds.push(body.id as string)
  }
  let booked = 0
  async function book(): Promise<void> {
    const patientId = patientIds[booked % patients]
    const appointmentDate = new Date(firstDay + booked++ * stepMinutes * 60_000).toISOString()
    const confirmed = BookingConcern.options
    const body = { patientId, appointmentDate, duration: durationMinutes, type: 'check-up', confirmed }
    const { status } = await client.post('/api/appointments', body)
    if (status !== 201) throw new Error(`an appointment was answered ${status}`)
  }
  async function finishJobs(): Promise<void> {
    const text = `select from jobs.job where name = any($1) and state < 'completed' limit 1`
    while ((await services.pool.query(text, [jobs])).rowCount) await sleep(250)
  }
  const rows: Row[] = []
  for (const clients of [1, 8, 32]) {
    const before = booked
    const started = process.cpuUsage()
    let timing: Timing | undefined
    const statements = await listStatements(async () => {
      timing = await measure('book an appointment, jobs included', clients, seconds, book)
      await finishJobs()
    })
    const { user, system } = process.cpuUsage(started)
    const perBooking = (amount: number) => Math.round((10 * amount) / (booked - before)) / 10
    if (timing)
      rows.push({ ...timing, statements: perBooking(statements.length), cpuMs: perBooking((user + system) / 1_000) })
  }
  return rows
}
