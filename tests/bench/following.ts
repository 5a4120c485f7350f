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
import { generatePatients } from './people.ts'
import { type Timing, summarizeTimings } from './timing.ts'

const eventsPerSecond = 500
const tickMs = 10

/** What follows with these read models, and how to write and wait for them. */
async function startInstance(databaseUrl: string, projections: readonly AnyProjection[]) {
  const pool = openPool(databaseUrl, 20)
  for (const name of ['pg_trgm', 'unaccent', 'btree_gist', 'btree_gin'])
    await pool.query(`create extension if not exists ${name}`)
  const store = await openPostgresStore(pool)
  const feed = createProjectionRunner({ store, pool, projections, logger: pino({ level: 'silent' }) })
  await feed.start()
  return {
    /** Answers how long it took to write, and from then until every screen knows it, in milliseconds. */
    async write(event: NewEvent): Promise<{ writing: number; visible: number }> {
      const began = performance.now()
      const appended = await store.append(`bench-${randomUUID()}`, 'no-stream', [event])
      if (appended.status !== 'appended') throw new Error(appended.status)
      const written = performance.now()
      await feed.waitUntilCaughtUp([event.type], appended.position)
      return { writing: written - began, visible: performance.now() - written }
    },
    async end(): Promise<void> {
      await feed.stop()
      await store.close()
      await pool.end()
    },
  }
}

type Note = { type: 'BenchNoted'; data: { id: string } }
const noteProjection = (name: string, knows: string) =>
  defineProjection<Note, { id: string; notes: number }>({
    name,
    version: 1,
    columns: { id: 'text', notes: 'int4' },
    key: 'id',
    rowOf: ({ data }) => data.id,
    on: { [knows as 'BenchNoted']: (row, _, id) => ({ id, notes: (row?.notes ?? 0) + 1 }) },
  })

/** The same command where one read model follows alone, and where nineteen follow beside it that it does not concern. */
export async function benchManyProjections(alone: string, twenty: string, seconds: number): Promise<Timing[]> {
  const one = noteProjection('caring', 'BenchNoted')
  const others = Array.from({ length: 19 }, (_, nr) => noteProjection(`other_${nr}`, 'BenchNeverHappens'))
  const [few, many] = [await startInstance(alone, [one]), await startInstance(twenty, [one, ...others])]
  const took: [number[], number[]] = [[], []]
  const until = performance.now() + seconds * 2_000
  for (let turn = 0; performance.now() < until; turn++) {
    // In turns, so that whatever else happens on this machine happens to both.
    for (const [side, copy] of [few, many].entries()) {
      const { writing, visible } = await copy.write(newEvent('BenchNoted', { id: `n${turn % 100}` }))
      if (turn > 50) took[side]?.push(writing + visible)
    }
  }
  await few.end()
  await many.end()
  return [
    summarizeTimings('a command, 1 read model', 1, took[0], seconds),
    summarizeTimings('a command, 20 read models', 1, took[1], seconds),
  ]
}

/** From the answer of the store to every screen: for one writer after the other, and at 500 events a second. */
export async function benchLag(databaseUrl: string, seconds: number): Promise<Timing[]> {
  const copy = await startInstance(
    databaseUrl,
    modules.flatMap(({ projections = [] }) => projections),
  )
  const practiceId = PracticeId.parse(randomUUID())
  const everybody = generatePatients(practiceId, 1_000_000)
  const write = () => {
    const { value } = everybody.next()
    if (!value) throw new Error('nobody is left')
    return copy.write(newEvent(value.type, value.data, { practiceId }))
  }
  for (let turn = 0; turn < 100; turn++) await write()
  const alone: number[] = []
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;)
    alone.push((await write()).visible)

  const underWay: Promise<{ visible: number }>[] = []
  const began = performance.now()
  for (let due = 0; due < seconds * eventsPerSecond;) {
    due = Math.round(((performance.now() - began) / 1_000) * eventsPerSecond)
    while (underWay.length < due) underWay.push(write())
    await sleep(tickMs)
  }
  const busy = (await Promise.all(underWay)).map(({ visible }) => visible)
  await copy.end()
  return [
    summarizeTimings('own write visible', 1, alone, seconds),
    summarizeTimings('lag at 500 events/s', 0, busy, seconds),
  ]
}
