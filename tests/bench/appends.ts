import { randomUUID } from 'node:crypto'
import { appendGroup } from '#eventstore/postgres/group-append.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { newEvent } from '#tests/support/events.ts'
import { measureInterleaved, type Timing } from './timing.ts'

const data = { patientId: randomUUID(), note: 'x'.repeat(200) }

const stream = () => `bench-${randomUUID()}`

/** An event as sent to the database. */
function row() {
  const { id, type, metadata } = newEvent('Benched', data)
  return { id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }
}

/**
 * Measures appends of one event to new streams by 1, 8 and 32 writers: through the store, which groups waiting appends,
 * and one call per append; compared with plain single-row inserts through the same pool. `ratio` is the speed relative to
 * plain rows.
 */
export async function benchAppends(databaseUrl: string, seconds: number): Promise<(Timing & { ratio: number })[]> {
  const pool = openPool(databaseUrl, 32)
  const store = await openPostgresStore(pool)
  await pool.query(
    'create table plain (stream text, revision bigint, data text, metadata text, primary key (stream, revision))',
  )
  const insert = () => {
    const { data: text, metadata } = row()
    const values = [stream(), text, metadata]
    return pool.query({ name: 'plain', text: 'insert into plain values ($1, 0, $2, $3)', values })
  }
  const contenders = [
    { name: 'insert a plain row', call: insert },
    { name: 'append, grouped', call: () => store.append(stream(), 'no-stream', [newEvent('Benched', data)]) },
    {
      name: 'append, one call each',
      call: () => appendGroup(pool, [[{ stream: stream(), expected: -1n, rows: [row()] }]]),
    },
  ]
  const rows: (Timing & { ratio: number })[] = []
  for (const writers of [1, 8, 32]) rows.push(...(await measureInterleaved(contenders, writers, seconds)))
  await store.close()
  await pool.end()
  return rows
}
