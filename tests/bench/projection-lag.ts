import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { modules } from '#main/modules.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import type { NewEvent } from '#eventstore/event.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import { type AnyProjection, defineProjection } from '#projections/projection.ts'
import { newEvent } from '#tests/support/events.ts'
import { generatePatients } from './generated-patients.ts'
import { type Timing, summarizeTimings } from './timing.ts'

const eventsPerSecond = 500
const tickMs = 10

/** Starts a projection runner with these read models and a function that writes and waits for them. */
async function startInstance(databaseUrl: string, projections: readonly AnyProjection[]) {
  const pool = openPool(databaseUrl, 20)
  for (const name of ['pg_trgm', 'btree_gist', 'btree_gin']) await pool.query(`create extension if not exists ${name}`)
  const store = await openPostgresStore(pool)
  const runner = createProjectionRunner({ store, pool, projections, logger: pino({ level: 'silent' }) })
  await runner.start()
  return {
    /** Appends an event. Returns the milliseconds of the append, and from then until the read models show it. */
    async write(event: NewEvent): Promise<{ writing: number; visible: number }> {
      const startedAt = performance.now()
      const appended = await store.append(`bench-${randomUUID()}`, 'no-stream', [event])
      if (appended.status !== 'appended') throw new Error(appended.status)
      const written = performance.now()
      await runner.waitUntilCaughtUp([event.type], appended.position)
      return { writing: written - startedAt, visible: performance.now() - written }
    },
    async end(): Promise<void> {
      await runner.stop()
      await store.close()
      await pool.end()
    },
  }
}

type Note = { type: 'BenchNoted'; data: { id: string } }
const noteProjection = (name: string, eventType: string) =>
  defineProjection<Note, { id: string; notes: number }>({
    name,
    version: 1,
    columns: { id: 'text', notes: 'int4' },
    key: 'id',
    rowOf: ({ data }) => data.id,
    on: { [eventType as 'BenchNoted']: (row, _, id) => ({ id, notes: (row?.notes ?? 0) + 1 }) },
  })

/** Measures a command with one read model, and with nineteen more that ignore its event. */
export async function benchManyProjections(singleUrl: string, manyUrl: string, seconds: number): Promise<Timing[]> {
  const one = noteProjection('notes', 'BenchNoted')
  const others = Array.from({ length: 19 }, (_, nr) => noteProjection(`other_${nr}`, 'BenchNeverHappens'))
  const [few, many] = [await startInstance(singleUrl, [one]), await startInstance(manyUrl, [one, ...others])]
  const durations: [number[], number[]] = [[], []]
  const endsAt = performance.now() + seconds * 2_000
  for (let turn = 0; performance.now() < endsAt; turn++) {
    // Interleaved, so that other load on the machine affects both.
    for (const [side, instance] of [few, many].entries()) {
      const { writing, visible } = await instance.write(newEvent('BenchNoted', { id: `n${turn % 100}` }))
      if (turn > 50) durations[side]?.push(writing + visible)
    }
  }
  await few.end()
  await many.end()
  return [
    summarizeTimings('command, 1 read model', 1, durations[0], seconds),
    summarizeTimings('command, 20 read models', 1, durations[1], seconds),
  ]
}

/** Measures the lag from an append to the read models: for sequential writes, and at 500 events a second. */
export async function benchLag(databaseUrl: string, seconds: number): Promise<Timing[]> {
  const instance = await startInstance(
    databaseUrl,
    modules.flatMap(({ projections = [] }) => projections),
  )
  const practiceId = PracticeId.parse(randomUUID())
  const patients = generatePatients(practiceId, 1_000_000)
  const write = () => {
    const { value } = patients.next()
    if (!value) throw new Error('no patients are left')
    return instance.write(newEvent(value.type, value.data, { practiceId }))
  }
  for (let turn = 0; turn < 100; turn++) await write()
  const sequential: number[] = []
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt;)
    sequential.push((await write()).visible)

  const pending: Promise<{ visible: number }>[] = []
  const startedAt = performance.now()
  for (let due = 0; due < seconds * eventsPerSecond;) {
    due = Math.round(((performance.now() - startedAt) / 1_000) * eventsPerSecond)
    while (pending.length < due) pending.push(write())
    await sleep(tickMs)
  }
  const busy = (await Promise.all(pending)).map(({ visible }) => visible)
  await instance.end()
  return [
    summarizeTimings('own write visible', 1, sequential, seconds),
    summarizeTimings('lag at 500 events/s', 0, busy, seconds),
  ]
}
