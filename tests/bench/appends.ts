import { randomUUID } from 'node:crypto'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { newEvent } from '#tests/support/events.ts'
import { measure, type Timing } from './timing.ts'

const data = { patientId: randomUUID(), note: 'x'.repeat(200) }

/** One event an append, each to a stream of its own, by 1, 8 and 32 writers; beside it plain rows through the same pool. */
export async function benchAppends(databaseUrl: string, seconds: number): Promise<Timing[]> {
  const pool = openPool(databaseUrl, 32)
  const store = await postgresStore(pool)
  await pool.query(
    'create table plain (stream text, revision bigint, data text, metadata text, primary key (stream, revision))',
  )
  const rows: Timing[] = []
  for (const writers of [1, 8, 32]) {
    rows.push(
      await measure('append an event', writers, seconds, () =>
        store.append(`bench-${randomUUID()}`, 'no-stream', [newEvent('Benched', data)]),
      ),
    )
    rows.push(
      await measure('insert a plain row', writers, seconds, () => {
        const { metadata } = newEvent('Benched', data)
        return pool.query('insert into plain values ($1, 0, $2, $3)', [
          `bench-${randomUUID()}`,
          JSON.stringify(data),
          JSON.stringify(metadata),
        ])
      }),
    )
  }
  await store.close()
  await pool.end()
  return rows
}
