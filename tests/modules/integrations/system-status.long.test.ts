import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SystemStatus } from '#contracts/system-status.ts'
import type { Client } from '#tests/support/client.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { proveEmail } from '#tests/support/prove-email.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

const minute = 60_000
const read = async (client: Client) => (await client.get('/api/system-status')).body as SystemStatus

describe('the system status', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
  })
  afterAll(() => app.dispose())

  const forget = () => app.services.pool.query('delete from app.uptime_hours')

  it('names the services for every role, without times and errors', async () => {
    const { client, practice } = await newOwner(app)
    const services = [
      { name: 'database', status: 'operational' },
      { name: 'ai', status: 'not_configured' },
      { name: 'payments', status: 'stand_in' },
      { name: 'email', status: 'stand_in' },
      { name: 'jobs', status: 'operational' },
    ]
    expect(await read(client)).toMatchObject({ services })
    for (const role of ['doctor', 'nurse', 'staff', 'reviewer', 'administrator'] as const)
      expect((await read((await newMember(app, practice.id, role)).client)).services).toEqual(services)
  })

  it('has no uptime before the first whole minute', async () => {
    const { client } = await newOwner(app)
    await forget()
    expect((await read(client)).uptime).toBeNull()
    await app.services.uptime.record()
    expect((await read(client)).uptime).toBeNull()
    app.advanceClock(minute)
    expect((await read(client)).uptime).toMatchObject({ percent: 100, downMinutes: 0, isWholePeriod: false })
  })

  it('counts minutes in which the application was stopped as down', async () => {
    const { client } = await newOwner(app)
    await forget()
    const since = new Date(Math.floor(app.services.clock().getTime() / minute) * minute)
    for (const advance of [1, 1, 11, 1]) {
      // Twice within one minute counts once.
      await app.services.uptime.record()
      await app.services.uptime.record()
      app.advanceClock(advance * minute)
    }
    expect((await read(client)).uptime).toEqual({
      since: since.toISOString(),
      isWholePeriod: false,
      percent: 28.57,
      downMinutes: 10,
      outages: [{ from: new Date(since.getTime() + 3 * minute).toISOString(), minutes: 10 }],
    })
  })

  it('is up while any of the instances works', async () => {
    const { client } = await newOwner(app)
    await forget()
    const other = await startTestApp({ databaseUrl: app.databaseUrl })
    other.stopClock()
    other.advanceClock(app.services.clock().getTime() - other.services.clock().getTime())
    for (const instance of [app, other, app]) {
      await instance.services.uptime.record()
      for (const each of [app, other]) each.advanceClock(minute)
    }
    expect((await read(client)).uptime).toMatchObject({ percent: 100, downMinutes: 0 })
    await other.stopInstance()
  })

  it('remembers a year, and computes the last 30 days of it', async () => {
    const { client } = await newOwner(app)
    await forget()
    await app.services.pool.query(
      `insert into app.uptime_hours
       select hour, (1::bigint << 60) - 1
       from generate_series(date_trunc('hour', $1::timestamptz) - interval '365 days', $1, '1 hour') as hours (hour)`,
      [app.services.clock()],
    )
    const { uptime } = await read(client)
    expect(uptime).toMatchObject({ percent: 100, isWholePeriod: true, outages: [] })
    // Two vendors and the uptime, whatever its length.
    let statements = 0
    const count = () => void statements++
    app.services.relaxedPool.on('acquire', count)
    await waitUntil(async () => {
      statements = 0
      await read(client)
      return statements <= 3
    })
    app.services.relaxedPool.off('acquire', count)
    await app.services.pool.query("delete from app.uptime_hours where hour >= $1::timestamptz - interval '3 hours'", [
      app.services.clock(),
    ])
    const later = (await read(client)).uptime
    expect(later?.percent).toBeLessThan(99.8)
    expect(later?.outages).toHaveLength(1)
  })

  it('does not count a minute in which nothing can be saved', async () => {
    await forget()
    const failing = await startTestApp({ databaseUrl: app.databaseUrl })
    const { checkServices } = failing.services
    expect(await checkServices()).toMatchObject({ database: true, eventStore: true })
    await failing.stopInstance()
    // Its connections are closed, as when the database is away.
    await failing.services.uptime.record()
    const { rows } = await app.services.pool.query('select from app.uptime_hours')
    expect(rows).toHaveLength(0)
  })
})

it('shows the state that the last message left, until the next one', async () => {
  const server = await startMailServer({ answer: () => 451 })
  // Without the message of the registration.
  const app = await startTestApp({ smtp: server.settings(), disabledProcessManagers: ['follow-accounts'] })
  const { client } = await newOwner(app)
  await proveEmail(app, client)
  const email = async () => (await read(client)).services.find(({ name }) => name === 'email')?.status
  expect(await email()).toBe('unknown')
  await client.post('/api/team/invitations', { email: 'robin@example.test', role: 'nurse' })
  await waitUntil(async () => (await email()) === 'rate_limited')
  await app.dispose()
  await server.close()
})
