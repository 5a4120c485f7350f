import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { Problem } from '#contracts/problem.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { openPool } from '#database/pool.ts'
import { modules } from '#main/modules.ts'
import { emailDecider } from '#modules/accounts/names/decider.ts'
import { defineJob } from '#modules/module.ts'
import { UserId } from '#contracts/values/ids.ts'
import { createDiskMonitor, type DiskMonitor } from '#runtime/disk-space.ts'
import { checkHealth } from '#tests/support/check-health.ts'
import type { ApiResponse, Client } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { itLong } from '#tests/support/long.ts'

/** A job with a single attempt: when it fails, it is a dead letter at once. */
const appendSomething = defineJob({
  name: 'append-something',
  data: z.strictObject({}),
  retry: { limit: 0 },
  async run({ bus, clock, newId }, _data, { id }) {
    attempts++
    const command = { type: 'Reserve', userId: UserId.parse(newId()), at: clock().toISOString() } as const
    const actor = { kind: 'process', name: 'test' } as const
    await bus.execute(emailDecider, id, command, { practiceId: null, actor, correlationId: id })
    written++
  },
})
const moduleWithWritingJob = { name: 'writing', events: [], jobs: [appendSomething] }
let attempts = 0
let written = 0

let app: TestApp
let client: Client
let signIn: { email: unknown; password: unknown }
let disk: DiskMonitor

async function start(monitor: DiskMonitor) {
  disk = monitor
  app = await startTestApp({ disk, modules: [...modules, moduleWithWritingJob] })
  const owner = await newOwner(app)
  client = owner.client
  signIn = { email: owner.registration.email, password: owner.registration.password }
}

const add = () => client.post('/api/patients', { firstName: 'Ada', lastName: 'Okafor', allowDuplicate: true })
function expectStorageFull({ status, headers, body }: ApiResponse) {
  expect(status).toBe(507)
  expect(Problem.parse(body)).toMatchObject({
    code: 'storage-full',
    message: expect.stringMatching(/^This was not saved, because the disk of this installation is full\. /),
  })
  expect(headers.get('retry-after')).toBe('60')
}

describe('a disk without room', () => {
  const limits = { lowBytes: 0, fullBytes: 0 }
  const fill = async (bytes: Partial<typeof limits>, status: string) => {
    Object.assign(limits, bytes)
    await expect.poll(() => disk.getSpace().status, { interval: 10 }).toBe(status)
  }
  beforeAll(() => start(createDiskMonitor({ folder: tmpdir(), limits, intervalMs: 10 })))
  afterAll(async () => {
    disk.stop()
    await app.dispose()
  })

  it('is reported before it is full, and nothing is refused yet', async () => {
    await expect.poll(() => checkHealth(app, disk)).toMatchObject({ status: 'ok', storage: { status: 'ok' } })
    await fill({ lowBytes: Infinity }, 'low')
    await expect.poll(() => checkHealth(app, disk)).toMatchObject({ status: 'degraded', storage: { status: 'low' } })
    await expect.poll(() => disk.getSpace().freeBytes).toBeGreaterThan(0)
    expect((await add()).status).toBe(201)
  })

  it('refuses what is written to two streams at once, and nothing is booked', async () => {
    const { body } = await add()
    const appointmentDate = '2031-03-03T09:00:00Z'
    const confirmed = BookingConcern.options
    await fill({ fullBytes: Infinity }, 'full')
    expectStorageFull(
      await client.post('/api/appointments', { patientId: body.id, appointmentDate, type: 'check-up', confirmed }),
    )
    await fill({ fullBytes: 0 }, 'low')
    const day = 'startDate=2031-03-03T00:00:00Z&endDate=2031-03-05T00:00:00Z'
    expect((await client.get(`/api/appointments?${day}`)).body).toEqual([])
    await client.delete(`/api/patients/${body.id}`)
  })

  itLong('refuses writes, still shows everything, lets people sign in, and recovers by itself', async () => {
    await fill({ fullBytes: Infinity }, 'full')
    expectStorageFull(await add())
    expectStorageFull(
      await app.newClient().post('/api/register', {
        email: 'new@example.test',
        username: 'new-person',
        password: 'a long enough password',
        firstName: 'Ada',
        lastName: 'Okafor',
      }),
    )
    const other = app.newClient()
    expect((await other.post('/api/login', signIn)).status).toBe(200)
    expect((await other.get('/api/patients')).body).toHaveLength(1)
    expect((await other.post('/api/logout')).status).toBe(204)
    await expect
      .poll(() => checkHealth(app, disk))
      .toMatchObject({
        status: 'degraded',
        services: { database: 'ok', eventStore: 'ok' },
        storage: { status: 'full' },
      })
    // A job that cannot write waits, however few attempts it has.
    await app.services.jobs.send('append-something', {})
    await expect.poll(() => attempts).toBeGreaterThan(0)
    await fill({ lowBytes: 0, fullBytes: 0 }, 'ok')
    expect((await add()).status).toBe(201)
    await expect.poll(() => written).toBe(1)
    expect(await app.countDeadLetters()).toBe(0)
    await expect.poll(() => checkHealth(app, disk)).toMatchObject({ status: 'ok' })
  })
})

describe('a database that has no room, on a disk that cannot be seen', () => {
  beforeAll(() => start(createDiskMonitor({ refusalMs: 0 })))
  afterAll(() => app.dispose())

  it('refuses a write with the same problem, is degraded until one succeeds, and reads go on', async () => {
    // Only the owner of the events may add a trigger.
    const owner = openPool(app.databaseUrl, 1)
    onTestFinished(() => owner.end())
    await owner.query(`
      create function es.have_no_room() returns trigger language plpgsql as
        $$begin raise exception 'could not extend file' using errcode = 'disk_full'; end$$;
      create trigger no_room before insert on es.events for each statement execute function es.have_no_room()`)
    expectStorageFull(await add())
    expect((await client.get('/api/patients')).status).toBe(200)
    await expect
      .poll(() => checkHealth(app, disk))
      .toMatchObject({
        status: 'degraded',
        storage: { status: 'full' },
      })
    await owner.query('drop trigger no_room on es.events')
    expect((await add()).status).toBe(201)
    await expect.poll(() => checkHealth(app, disk)).toMatchObject({ status: 'ok', storage: { status: 'ok' } })
  })
})
