import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { withOpenStores } from '#cli/run-tool.ts'
import { readConfig } from '#main/config.ts'
import { modules } from '#main/modules.ts'
import { openPool } from '#database/pool.ts'
import { writeHistory } from './history.ts'
import type { ProcessMeasurement } from './rebuild-process.ts'

/**
 * A row per read model: events a second of the bulk fold, of the whole rebuild, and of live updates; peak memory in MiB.
 * Reading the same events without folding them is the upper bound on this machine.
 */
export type RebuildRow = {
  name: string
  events: number
  'read/s': number
  'bulk fold/s': number
  'rebuilt/s': number
  'live/s': number
  'peak MiB': number
}

const names = modules.flatMap(({ projections = [] }) => projections.map(({ name }) => name))
const toPerSecond = (events: number, milliseconds: number) => Math.round((events / milliseconds) * 1_000)

/** The database, and the folder with the keys of its events. */
type BenchTarget = { databaseUrl: string; dataDir: string }

/** Measures every registered read model over the same events, one after the other, each in a separate process. */
export async function benchRebuilds(target: BenchTarget, events: number): Promise<RebuildRow[]> {
  await fillEventStore(target, events)
  const read = await measureInProcess('read', names[0] ?? '', target)
  const reading = toPerSecond(read.events, read.totalMs)
  const rows: RebuildRow[] = []
  for (const name of names) {
    const rebuilt = await measureInProcess('rebuild', name, target)
    const followed = await measureInProcess('follow', name, target)
    rows.push({
      name,
      events,
      'read/s': reading,
      'bulk fold/s': toPerSecond(rebuilt.events, rebuilt.foldingMs),
      'rebuilt/s': toPerSecond(rebuilt.events, rebuilt.totalMs),
      'live/s': toPerSecond(followed.events, followed.totalMs),
      'peak MiB': Math.max(...rebuilt.memory),
    })
  }
  return rows
}

/** Measures the peak memory in MiB of each fifth of a rebuild of the largest read model. */
export async function benchMemory(target: BenchTarget, events: number): Promise<Record<string, string | number>[]> {
  await fillEventStore(target, events)
  const { memory, events: foldedEvents, totalMs } = await measureInProcess('rebuild', 'patients', target)
  const fifths = Object.fromEntries(memory.map((peak, index) => [`${(index + 1) * 20} %`, peak]))
  return [{ name: 'patients, MiB', events: foldedEvents, ...fifths, seconds: Math.round(totalMs / 1_000) }]
}

async function fillEventStore({ databaseUrl, dataDir }: BenchTarget, events: number): Promise<void> {
  const pool = openPool(databaseUrl, 4)
  for (const name of ['pg_trgm', 'btree_gist', 'btree_gin']) await pool.query(`create extension if not exists ${name}`)
  await withOpenStores({ config: readConfig({ DATA_DIR: dataDir }), pool }, ({ store }) => writeHistory(store, events))
  await pool.query('vacuum analyze es.events')
  await pool.end()
}

/** Runs a measurement in a process with the memory settings of `npm run projections`. */
async function measureInProcess(
  task: string,
  name: string,
  { databaseUrl, dataDir }: BenchTarget,
): Promise<ProcessMeasurement> {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const settings = scripts['projections']?.split(' ').filter((word) => word.startsWith('--')) ?? []
  const call = [...settings, 'tests/bench/rebuild-process.ts', task, name, databaseUrl, dataDir]
  const { stdout } = await promisify(execFile)(process.execPath, call)
  return JSON.parse(stdout) as ProcessMeasurement
}
