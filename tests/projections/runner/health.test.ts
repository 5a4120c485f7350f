import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Health } from '#contracts/health.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { createHealthCheck } from '#runtime/health.ts'
import { newEvent } from '#tests/support/events.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { appointmentBooked, tags, appointments } from '#tests/support/appointments.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('is degraded while a projection has failed, and shows its name and lag', async () => {
  const pool = openPool(database.url, 5)
  const store = await openPostgresStore(pool)
  const runner = createProjectionRunner({
    store,
    pool,
    projections: [appointments, tags],
    logger: pino({ level: 'silent' }),
  })
  await runner.start()
  const alive = async () => ({ database: true, eventStore: true, jobs: true })
  const getHealth = async () =>
    Health.parse(
      await createHealthCheck(
        () => ({
          checkServices: alive,
          readModels: runner.getStates,
          countDeadLetters: async () => 0,
          listDamagedTables: async () => [],
          getDiskSpace: () => ({ status: 'ok', freeBytes: null }),
        }),
        'test',
      )(),
    )
  expect(await getHealth()).toMatchObject({ status: 'ok' })
  const appended = await store.append('appointment-1', 'no-stream', [
    appointmentBooked('a'),
    newEvent('AppointmentBroken', { id: 'a' }),
    appointmentBooked('b', { tags: ['after'] }),
  ])
  if (appended.status !== 'appended') throw new Error(appended.status)
  await runner.waitUntilCaughtUp(['AppointmentBooked'], appended.position)
  expect(await getHealth()).toMatchObject({
    status: 'degraded',
    services: { database: 'ok', eventStore: 'ok', jobs: 'ok' },
    projections: [
      { name: 'appointments', state: 'failed', lag: 2 },
      { name: 'tags', state: 'running', lag: 0 },
    ],
  })
  expect((await pool.query('select tag from read.tags')).rows).toContainEqual({ tag: 'after' })
  await runner.stop()
  await store.close()
  await pool.end()
})
