import { randomUUID } from 'node:crypto'
import { Client as DatabaseClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import type { ApiResponse, Client } from '#tests/support/client.ts'
import { future } from '#tests/support/future-days.ts'
import { holdAppendsAt } from '#tests/support/held-appends.ts'
import { someOf, itLong } from '#tests/support/long.ts'
import { newOwner, newUser, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { importOf } from '#tests/modules/patients/import/import-fixtures.ts'

/** A write that is sent several times with one idempotency key. */
type Write = { send: () => Promise<ApiResponse>; type: string; status: number }

describe('an answer to a write is true', () => {
  let app: TestApp
  let client: Client
  let database: DatabaseClient
  let patientId: string
  let appointment: Appointment

  /** Returns a function that sends the same request with the same key each time. */
  const sameIntent = (sender: Client, method: string, path: string, body?: unknown) => {
    const headers = { 'idempotency-key': `"${randomUUID()}"` }
    return () => sender.request(method, path, body, headers)
  }
  /** Sends a write until it is answered with its result, which the time-outs may delay on a busy machine. */
  const settle = (send: Write['send']) =>
    waitUntil(send, ({ status, problem }) => status < 500 && problem.code !== 'still-running')
  const count = async (type: string) =>
    (await database.query<{ n: number }>('select count(*)::int as n from es.events where type = $1', [type])).rows[0]?.n
  const newPatient = async () => {
    const name = randomUUID().replaceAll(/[^a-f]/g, '')
    const added = await settle(
      sameIntent(client, 'POST', '/api/patients', { firstName: `A${name}`, lastName: `B${name}` }),
    )
    return added.body.id as string
  }
  const slotAt = (time: string) => ({
    patientId,
    appointmentDate: `${future.tuesday.iso}T${time}`,
    duration: 30,
    type: 'check-up',
  })

  beforeAll(async () => {
    app = await startTestApp({ timeouts: productionTimeouts })
    ;({ client } = await newOwner(app))
    database = new DatabaseClient({ connectionString: app.databaseUrl })
    await database.connect()
    patientId = await newPatient()
    await waitUntil(async () => (await client.get('/api/providers')).body.length === 1)
    const booked = await settle(sameIntent(client, 'POST', '/api/appointments', slotAt('09:00')))
    expect(booked.status).toBe(201)
    appointment = booked.body
  })
  afterAll(async () => {
    await database.end()
    await app.dispose()
  })

  const waitlistEntry = () => sameIntent(client, 'POST', '/api/waitlist', { patientId, type: 'check-up' })

  const writes: Record<string, () => Write | Promise<Write>> = {
    'a waitlist entry': () => ({ send: waitlistEntry(), type: 'PatientAddedToWaitlist', status: 201 }),
    'a new patient': () => ({
      send: sameIntent(client, 'POST', '/api/patients', { firstName: 'Ada', lastName: 'Lovelace' }),
      type: 'PatientRegistered',
      status: 201,
    }),
    'a changed patient': async () => ({
      send: sameIntent(client, 'PATCH', `/api/patients/${await newPatient()}`, { email: 'a@b.test', revision: 0 }),
      type: 'PatientContactChanged',
      status: 200,
    }),
    'a removed patient': async () => ({
      send: sameIntent(client, 'DELETE', `/api/patients/${await newPatient()}`),
      type: 'PatientRemoved',
      status: 204,
    }),
    'a registration': () => ({
      send: sameIntent(app.newClient(), 'POST', '/api/register', registrationForm()),
      type: 'UserRegistered',
      status: 201,
    }),
    'a practice': async () => ({
      send: sameIntent((await newUser(app)).client, 'POST', '/api/practices/setup', practiceDetails),
      type: 'PracticeSetUp',
      status: 200,
    }),
    'a booking': () => ({
      send: sameIntent(client, 'POST', '/api/appointments', slotAt('10:00')),
      type: 'AppointmentBooked',
      status: 201,
    }),
    'a moved appointment': () => ({
      send: sameIntent(client, 'PATCH', `/api/appointments/${appointment.id}`, {
        appointmentDate: `${future.tuesday.iso}T11:00`,
        revision: appointment.revision,
      }),
      type: 'AppointmentRescheduled',
      status: 200,
    }),
    'an import': () => ({
      send: sameIntent(client, 'POST', '/api/patients/import', { csv: importOf(2) }),
      type: 'ImportRequested',
      status: 202,
    }),
    'a subscription': async () => ({
      send: sameIntent((await newOwner(app)).client, 'POST', '/api/create-subscription', { planType: 'starter' }),
      type: 'CheckoutStarted',
      status: 200,
    }),
    'a calendar feed': async () => ({
      send: sameIntent(client, 'POST', '/api/calendar-feeds', {
        providerId: (await client.get('/api/providers')).body[0].id,
        label: 'Phone',
      }),
      type: 'CalendarFeedCreated',
      status: 201,
    }),
  }

  /** Sends a write again: it has exactly one effect, however often. */
  async function expectOneEffect({ send, type, status }: Write, before: number | undefined): Promise<ApiResponse> {
    const first = await settle(send)
    expect([first.status, first.problem.message]).toEqual([status, undefined])
    expect((await settle(send)).status).toBe(status)
    expect(await count(type)).toBe(Number(before) + 1)
    return first
  }

  it.each(someOf(Object.keys(writes), 1))('that waits for the lock of the store: %s', async (name) => {
    const write = (await writes[name]?.()) as Write
    const before = await count(write.type)
    await database.query('select pg_advisory_lock($1)', [advisoryLocks.append])
    const answer = await write.send()
    await database.query('select pg_advisory_unlock($1)', [advisoryLocks.append])
    expect(answer).toMatchObject({ status: 503, problem: { code: 'store-unavailable' } })
    expect(answer.problem.message).toMatch(/^Nothing can be (read or )?saved right now\./)
    // Appends are serial: after this one nothing of the request can still be written.
    await newPatient()
    if (write.type !== 'PatientRegistered') expect(await count(write.type)).toBe(before)
    await expectOneEffect(write, await count(write.type))
  })

  itLong('that was sent and is not confirmed', async () => {
    const before = await count('PatientAddedToWaitlist')
    const appends = await holdAppendsAt(app.databaseUrl, 'PatientAddedToWaitlist', Number(before) + 1)
    const send = waitlistEntry()
    const [keyed, other] = await Promise.all([
      send(),
      appends.reached().then(() => client.post('/api/waitlist', { patientId, type: 'follow-up' })),
    ])
    await appends.release()
    await database.query('drop trigger hold on es.events')
    expect(keyed).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
    expect(keyed.problem.message).toBe('This may have been saved. You can try again: it is not saved twice.')
    expect(keyed.headers.get('retry-after')).toBe('5')
    // The other one was behind it, and cancelled by the server or never sent.
    expect(other.status).toBe(503)
    await waitUntil(async () => (await count('PatientAddedToWaitlist')) === Number(before) + 1)
    await expectOneEffect({ send, type: 'PatientAddedToWaitlist', status: 201 }, before)
  })

  /** Sends a request while the store refuses events of a type. */
  async function sendWithoutRoom<Result>(send: () => Promise<Result>, type: string): Promise<Result> {
    await database.query(`
      create function pg_temp.refuse() returns trigger language plpgsql as $$ begin raise 'no room' using errcode = '54000'; end $$;
      create trigger refuse before insert on es.events for each row when (new.type = '${type}') execute function pg_temp.refuse()`)
    const answer = await send()
    await database.query('drop trigger refuse on es.events; drop function pg_temp.refuse()')
    return answer
  }

  it.each([
    // Past midnight, which takes several appends.
    ['AppointmentBooked', 'POST', () => slotAt('23:45')],
    ['AppointmentRescheduled', 'PATCH', () => ({ appointmentDate: `${future.wednesday.iso}T23:45` })],
  ] as const)('that failed between two appends: %s', async (type, method, getBody) => {
    const path = method === 'POST' ? '/api/appointments' : `/api/appointments/${appointment.id}`
    const send = sameIntent(client, method, path, getBody())
    const before = await count(type)
    expect(await sendWithoutRoom(send, type)).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
    await expectOneEffect({ send, type, status: method === 'POST' ? 201 : 200 }, before)
  })

  it.each([
    ['booking', 'AppointmentBooked', 'POST', () => slotAt('13:00')],
    ['move', 'AppointmentRescheduled', 'PATCH', () => ({ appointmentDate: `${future.tuesday.iso}T14:00` })],
    ['cancellation', 'AppointmentCancelled', 'PATCH', () => ({ status: 'cancelled' })],
  ] as const)('that failed in the append to all streams of a %s', async (_, type, method, getBody) => {
    const path = method === 'POST' ? '/api/appointments' : `/api/appointments/${appointment.id}`
    const send = sameIntent(client, method, path, getBody())
    const day = async () => [
      await count('SlotReservedForBooking'),
      await count('SlotReservedForMove'),
      await count('SlotReleased'),
    ]
    const [reserved, before] = [await day(), await count(type)]
    const answer = await sendWithoutRoom(send, type)
    expect(answer).toMatchObject({ status: 503, problem: { code: 'store-unavailable' } })
    expect(await day()).toEqual(reserved)
    await expectOneEffect({ send, type, status: method === 'POST' ? 201 : 200 }, before)
  })

  itLong('that was saved and cannot be shown', async () => {
    const before = await count('PatientAddedToWaitlist')
    const send = waitlistEntry()
    await database.query('begin; lock table read.waitlist in access exclusive mode')
    const answer = await send()
    await database.query('commit')
    expect(answer).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
    expect(await count('PatientAddedToWaitlist')).toBe(Number(before) + 1)
    await expectOneEffect({ send, type: 'PatientAddedToWaitlist', status: 201 }, before)
  })

  itLong.each(['app.sessions', 'app.idempotency_keys'])(
    'that waits for a locked table before it begins: %s',
    async (table) => {
      const before = await count('PatientAddedToWaitlist')
      const send = waitlistEntry()
      await database.query(`begin; lock table ${table} in access exclusive mode`)
      const answer = await send()
      await database.query('commit')
      expect(answer.status).toBe(503)
      expect(['store-unavailable', 'too-slow']).toContain(answer.problem.code)
      expect(await count('PatientAddedToWaitlist')).toBe(before)
      await expectOneEffect({ send, type: 'PatientAddedToWaitlist', status: 201 }, before)
    },
  )

  itLong('that has ended a session and cannot delete it', async () => {
    const { client: other } = await newOwner(app)
    const before = await count('SignedOut')
    const send = sameIntent(other, 'POST', '/api/logout')
    await database.query('begin; lock table app.sessions in share mode')
    const answer = await send()
    await database.query('commit')
    expect(answer.status).toBe(503)
    // On a starved machine it may not even have begun.
    if (answer.problem.code !== 'outcome-unknown') expect(await count('SignedOut')).toBe(before)
    await waitUntil(send, ({ status }) => status === 204)
    await waitUntil(async () => (await other.get('/api/user')).status === 401)
  })

  it('without waiting for the time of last use of its session', async () => {
    app.advanceClock(2 * 60_000)
    await database.query('begin; select from app.sessions for update')
    // On a starved machine another step may take too long.
    const answer = await waitUntil(
      () => client.post('/api/waitlist', { patientId, type: 'check-up' }),
      ({ status }) => status === 201,
    )
    await database.query('commit')
    expect(answer.problem.message).toBeUndefined()
  })

  itLong('without an idempotency key too', async () => {
    await database.query('begin; lock table read.waitlist in access exclusive mode')
    const { problem } = await client.post('/api/waitlist', { patientId, type: 'check-up' })
    await database.query('commit')
    expect(problem.message).toBe('This may have been saved. Check before you try again, so that it is not saved twice.')
  })

  itLong('of a registration whose session is still being saved when the time is over', async () => {
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into app.sessions%'"
    const register = async () => {
      // Blocks inserts only: sessions can still be found.
      await database.query('begin; lock table app.sessions in share row exclusive mode')
      const registering = app.newClient().post('/api/register', registrationForm())
      // Two, when the session is saved once more at the end of the request.
      await Promise.race([registering, waitUntil(async () => (await database.query(waiting)).rowCount === 2)])
      await database.query('commit')
      return await registering
    }
    // On a busy machine, the time may be over before anything was saved.
    const answer = await waitUntil(register, ({ problem }) => !['too-slow', 'busy'].includes(problem.code))
    expect(answer).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
  })
})
