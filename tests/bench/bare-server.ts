import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import bodyParser from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import { Pool } from 'pg'

const connections = 20

/**
 * Starts the least that Koa and pg can do for five requests: one statement on the tables of this application, or on a plain table of
 * the same columns, without a session, permissions, validation, encryption or events.
 */
export async function startBareServer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  for (const table of ['patients', 'appointments'])
    await pool.query(`create table public.bare_${table} (like read.${table} including defaults, primary key (id))`)
  await pool.query('create index on public.bare_appointments (starts_at)')
  const router = new Router()
  router.get('/api/patients/:id', async (ctx) => {
    const text = 'select * from read.patients where id = $1'
    ctx.body = (await pool.query({ name: 'one', text, values: [ctx.params['id']] })).rows[0]
  })
  router.get('/api/patients', async (ctx) => {
    const text = 'select * from read.patients where words @> array[$1] order by sort_key, id limit 20'
    ctx.body = (await pool.query({ name: 'search', text, values: [String(ctx.query['search']).toLowerCase()] })).rows
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
  router.post('/api/appointments', bodyParser(), async (ctx) => {
    const { patientId, appointmentDate, duration } = ctx.request.body as Record<string, string>
    const text = `insert into public.bare_appointments (id, patient_id, starts_at, ends_at, duration)
      select $1, $2, $3, $3::timestamptz + make_interval(mins => $4), $4 where not exists (
        select from public.bare_appointments
        where starts_at between $3::timestamptz - interval '1 day' and $3::timestamptz + make_interval(mins => $4)
          and ends_at > $3 and starts_at < $3::timestamptz + make_interval(mins => $4))
      returning *`
    const values = [randomUUID(), patientId, appointmentDate, duration]
    ctx.body = (await pool.query({ name: 'book', text, values })).rows[0]
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
