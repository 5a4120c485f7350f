import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { createHealthCheck } from '#runtime/health.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { newEvent } from '#tests/support/events.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'
import { appointmentBooked, tags, appointments } from '#tests/support/appointments.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('is degraded while a projection has failed, and shows its name without positions', async () => {
  const pool = openTestPool(database.url, 5)
  const store = await openPostgresStore(pool)
  const runner = createProjectionRunner({
    store,
    pool,
    projections: [appointments, tags],
    logger: pino({ level: 'silent' }),
    catchUpTimeoutMs: endlessTimeouts.catchUpMs,
  })
  await runner.start()
  let mismatches = 0
  const alive = async () => ({ database: true, eventStore: true, jobs: true, mail: 'outbox' as const })
  const getHealth = () =>
    createHealthCheck(
      () => ({
        checkServices: alive,
        readModels: runner.getStates,
        countDeadLetters: async () => 0,
        listDamagedTables: async () => [],
        countMismatches: () => mismatches,
        getDiskSpace: () => ({ status: 'ok', freeBytes: 5_000_000_000 }),
      }),
      'test',
    )()
  expect(await getHealth()).toMatchObject({ status: 'ok' })
  mismatches = 2
  expect(await getHealth()).toMatchObject({ status: 'degraded', mismatches: 2 })
  mismatches = 0
  const appended = await store.append('appointment-1', 'no-stream', [
    appointmentBooked('a'),
    newEvent('AppointmentBroken', { id: 'a' }),
    appointmentBooked('b', { tags: ['after'] }),
  ])
  if (appended.status !== 'appended') throw new Error(appended.status)
  await runner.waitUntilCaughtUp(['AppointmentBooked'], appended.position)
  expect(await getHealth()).toEqual({
    status: 'degraded',
    version: 'test',
    services: { database: 'ok', eventStore: 'ok', jobs: 'ok', mail: 'outbox' },
    deadLetters: 0,
    damaged: [],
    mismatches: 0,
    storage: { status: 'ok' },
    projections: [
      { name: 'appointments', kind: 'projection', version: 1, state: 'failed' },
      { name: 'tags', kind: 'projection', version: 1, state: 'running' },
    ],
  })
  expect((await pool.query('select tag from read.tags')).rows).toContainEqual({ tag: 'after' })
  await runner.stop()
  await store.close()
  await pool.end()
})
