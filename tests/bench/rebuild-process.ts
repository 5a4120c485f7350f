import { pino } from 'pino'
import { withOpenStores } from '#cli/run-tool.ts'
import { readConfig } from '#main/config.ts'
import { modules } from '#main/modules.ts'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner } from '#projections/runner/runner.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { type EngineContext, rebuild } from '#projections/rebuild/rebuild.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import { quoteTableName } from '#projections/table-names.ts'

/** The measurement of a process: events, milliseconds, and the peak memory of each fifth of its work in MiB. */
export type ProcessMeasurement = Durations & { memory: number[] }

type Durations = { events: number; foldingMs: number; totalMs: number }

const toMebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

const allProjections = modules.flatMap(({ projections = [] }) => projections)

type Task = { engine: EngineContext; projection: AnyProjection; watch: (share: number) => void }

/**
 * Runs one task in this process, so that its memory is that of the task alone. Arguments: `rebuild`, `follow` or `read`, the
 * projection, the database, and the folder with its keys. Prints JSON.
 */
async function main([task = '', name, databaseUrl = '', dataDir = '']: string[]): Promise<ProcessMeasurement> {
  const projection = allProjections.find((one) => one.name === name)
  if (!projection) throw new Error(`There is no read model ${name}`)
  const run = { rebuild: measureRebuild, follow: measureCatchUp, read: measureReading }[task]
  if (!run) throw new Error(`There is no task ${task}`)
  const pool = openPool(databaseUrl, 8)
  const memory = [0, 0, 0, 0, 0]
  const watch = (share: number) => {
    const fifth = Math.min(4, Math.floor(share * 5))
    memory[fifth] = Math.max(memory[fifth] ?? 0, toMebibytes(process.memoryUsage.rss()))
  }
  // Decrypted, as the application and its tools read it.
  return await withOpenStores({ config: readConfig({ DATA_DIR: dataDir }), pool }, async (engine) => {
    await pool.query('drop schema if exists read cascade')
    await prepareTables(pool, [projection])
    return { ...(await run({ engine, projection, watch })), memory }
  })
}

async function measureRebuild({ engine, projection, watch }: Task): Promise<Durations> {
  const elapsed = startStopwatch()
  let [events, foldingMs] = [0, 0]
  const result = await rebuild(engine, projection, {
    onProgress({ stage, events: folded, share }) {
      watch(share)
      if (stage === 'folding') events = folded
      else foldingMs ||= elapsed()
    },
  })
  if (result.status !== 'done') throw new Error(result.status)
  return { events, foldingMs, totalMs: elapsed() }
}

async function measureReading({ engine, watch }: Task): Promise<Durations> {
  const elapsed = startStopwatch()
  let events = 0
  for (let after: string | null = null, more = true; more;) {
    const page = await engine.store.readAll(after, { limit: 2_000 })
    // Reading all fields decrypts them.
    events += page.events.filter(({ data }) => Object.keys(data).length > 0).length
    after = page.next
    more = page.events.length > 0
    watch(events)
  }
  return { events, foldingMs: elapsed(), totalMs: elapsed() }
}

/** Measures live updates over the last third of the events, while all other read models are caught up. */
async function measureCatchUp({ engine, projection, watch }: Task): Promise<Durations> {
  const { metadataOnlyStore: _, ...own } = engine
  const { pool, store } = own
  const { rows } = await pool.query<{ events: number }>('select max(position)::int as events from es.events')
  const events = rows[0]?.events ?? 0
  const before = Math.floor((events * 2) / 3)
  const { status } = await rebuild({ ...own, store: truncateStore(store, before) }, projection)
  if (status !== 'done') throw new Error(status)
  await pool.query(`vacuum (analyze) ${quoteTableName(projection)}`)
  await prepareTables(pool, allProjections)
  await pool.query('update read.checkpoints set position = $2 where name <> $1', [projection.name, await store.head()])
  const elapsed = startStopwatch()
  const runner = createProjectionRunner({ ...own, projections: allProjections, logger: pino({ level: 'silent' }) })
  await runner.start()
  const elapsedMs = elapsed()
  const state = (await runner.getStates()).find(({ name }) => name === projection.name)
  if (state?.lag !== 0 || state.state !== 'running')
    throw new Error(`The read model is ${state?.state} with a lag of ${state?.lag}`)
  await runner.stop()
  watch(1)
  return { events: events - before, foldingMs: elapsedMs, totalMs: elapsedMs }
}

/** Returns a store that ends at this number of events; positions count them. */
function truncateStore(store: EventStore, events: number): EventStore {
  const parsePosition = (position: Position | null) => Number(position?.slice('pg-'.length) ?? 0)
  const last = `pg-${String(events).padStart(19, '0')}`
  return {
    ...store,
    head: async () => last,
    readAll: async (after, { limit, types }) =>
      parsePosition(after) >= events
        ? { events: [], next: after, scanned: 0 }
        : await store.readAll(after, { limit: Math.min(limit, events - parsePosition(after)), types }),
  }
}

function startStopwatch(): () => number {
  const startedAt = performance.now()
  return () => performance.now() - startedAt
}

process.stdout.write(`${JSON.stringify(await main(process.argv.slice(2)))}\n`)
process.exit(0)
