import { pino } from 'pino'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { validAppointments, tags } from './appointments.ts'

/** A process that only runs projections, on the database of its first argument, until it is killed. */
const pool = openPool(process.argv[2] ?? '', 5)
const logger = pino({ level: 'warn' })
const runner = createProjectionRunner({
  store: await openPostgresStore(pool),
  pool,
  projections: [validAppointments, tags],
  logger,
})
await runner.start()
process.stdout.write('running\n')
