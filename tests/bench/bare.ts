import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import bodyParser from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import { Pool } from 'pg'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { measureInterleaved, type Timing } from './timing.ts'

const firstDay = Date.UTC(2030, 0, 7)
const lastInstant = firstDay + 86_399_999
const minutes = 15
const appointments = 100
const connections = 20

/**
 * Measures three requests beside the least that Koa and pg can do for them: one statement on the tables of this application, or on a
 * plain table of the same columns, without a session, permissions, validation, encryption or events. `ratio` is the speed relative to
 * that server.
 */
export async function benchBare(
  url: string,
  databaseUrl: string,
  seconds: number,
): Promise<(Timing & { ratio: number })[]> {
  const { client } = await newSubscriber({ newClient: () => createClient(url) })
  const patientId = await fillDay(client)
  const bare = await startBareServer(databaseUrl)
  try {
    const other = createClient(bare.url)
    const day = `startDate=${new Date(firstDay).toISOString()}&endDate=${new Date(lastInstant).toISOString()}`
    const newPatient = () => ({ firstName: 'Bench', lastName: randomUUID() })
    const pairs = [
      { name: 'read a patient', call: (each: Client) => each.get(`/api/patients/${patientId}`) },
      { name: 'a day of 100 appointments', call: (each: Client) => each.get(`/api/appointments?${day}`) },
      { name: 'create a patient', call: (each: Client) => each.post('/api/patients', newPatient()) },
    ]
    const rows: (Timing & { ratio: number })[] = []
    for (const clients of [1, 8, 32])
      for (const { name, call } of pairs) {
        const candidates = [
          { name: `${name}: bare`, call: () => call(other).then(expectSuccess) },
          { name: `${name}: Everchart`, call: () => call(client).then(expectSuccess) },
        ]
        rows.push(...(await measureInterleaved(candidates, clients, seconds)))
      }
    return rows
  } finally {
    await bare.stop()
  }
}

function expectSuccess({ status }: { status: number }): void {
  if (status >= 300) throw new Error(`a request was answered ${status}`)
}

/** Books a day of appointments for one patient. Returns the patient's id. */
async function fillDay(client: Client): Promise<string> {
  const patient = await client.post('/api/patients', { firstName: 'Bench', lastName: 'Patient' })
  for (let n = 0; n < appointments; n++) {
    const slot = n % ((24 * 60) / minutes)
    const { status } = await client.post('/api/appointments', {
      patientId: patient.body.id,
      appointmentDate: new Date(firstDay + slot * minutes * 60_000).toISOString(),
      duration: minutes,
      // The same type would be the same appointment again.
      type: n === slot ? 'check-up' : 'follow-up',
      allowOverlap: true,
      confirmed: BookingConcern.options,
    })
    if (status !== 201) throw new Error(`an appointment was answered ${status}`)
  }
  return patient.body.id as string
}

/** Starts a server with the same three addresses, one statement each. */
async function startBareServer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  await pool.query(`create table public.bare_patients (like read.patients including defaults, primary key (id))`)
  const router = new Router()
  router.get('/api/patients/:id', async (ctx) => {
    const text = 'select * from read.patients where id = $1'
    ctx.body = (await pool.query({ name: 'one', text, values: [ctx.params['id']] })).rows[0]
  })
  router.get('/api/appointments', async (ctx) => {
    const text = `select a.*, p.first_name, p.last_name from read.appointments a
      join read.appointment_patients p on p.id = a.patient_id
      where a.starts_at between $1 and $2 order by a.starts_at, a.id`
    const { startDate, endDate } = ctx.query
    ctx.body = (await pool.query({ name: 'day', text, values: [startDate, endDate] })).rows
  })
  router.post('/api/patients', bodyParser(), async (ctx) => {
    const { firstName, lastName } = ctx.request.body as { firstName: string; lastName: string }
    const text = `insert into public.bare_patients (id, practice_id, first_name, last_name, sample, revision, created_at,
        updated_at, sort_key, name_key, words, completed_appointments)
      values ($1, $1, $2, $3, false, 0, now(), now(), $3, $3, array[$3], '{}') returning *`
    ctx.body = (await pool.query({ name: 'add', text, values: [randomUUID(), firstName, lastName] })).rows[0]
  })
  const server = new Koa().use(router.routes()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await pool.end()
    },
  }
}
