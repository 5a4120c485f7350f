import { pino } from 'pino'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { validAppointments, tags } from './appointments.ts'

/** A copy of the application that does nothing but follow: given the address of a database, it goes on until it is killed. */
const pool = openPool(process.argv[2] ?? '', 5)
const logger = pino({ level: 'warn' })
const feed = createProjectionRunner({
  store: await openPostgresStore(pool),
  pool,
  projections: [validAppointments, tags],
  logger,
})
await feed.start()
process.stdout.write('follows\n')
