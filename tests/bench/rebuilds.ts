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
 * One read model: events a second while it is folded beside, until it answers, and as it follows; its memory in MiB. Beside
 * them what reading the same record costs without folding it: the machine may be busy, and nothing can be faster.
 */
export type RebuildRow = {
  name: string
  events: number
  'read/s': number
  'folded/s': number
  'rebuilt/s': number
  'followed/s': number
  'most MiB': number
}

const names = modules.flatMap(({ projections = [] }) => projections.map(({ name }) => name))
const toPerSecond = (events: number, milliseconds: number) => Math.round((events / milliseconds) * 1_000)

/** The database, and the folder with the keys that its record is sealed with. */
type BenchTarget = { databaseUrl: string; dataDir: string }

/** Every registered read model over the same so many events, one after the other, each in a process of its own. */
export async function benchRebuilds(place: BenchTarget, events: number): Promise<RebuildRow[]> {
  await fillEventStore(place, events)
  const read = await measureInProcess('read', names[0] ?? '', place)
  const reading = toPerSecond(read.events, read.totalMs)
  const rows: RebuildRow[] = []
  for (const name of names) {
    const rebuilt = await measureInProcess('rebuild', name, place)
    const followed = await measureInProcess('follow', name, place)
    rows.push({
      name,
      events,
      'read/s': reading,
      'folded/s': toPerSecond(rebuilt.events, rebuilt.foldingMs),
      'rebuilt/s': toPerSecond(rebuilt.events, rebuilt.totalMs),
      'followed/s': toPerSecond(followed.events, followed.totalMs),
      'most MiB': Math.max(...rebuilt.memory),
    })
  }
  return rows
}

/** Memory of the largest read model's rebuild over so many events, at its most in each fifth of the way, in MiB. */
export async function benchMemory(place: BenchTarget, events: number): Promise<Record<string, string | number>[]> {
  await fillEventStore(place, events)
  const { memory, events: folded, totalMs: whole } = await measureInProcess('rebuild', 'patients', place)
  const fifths = Object.fromEntries(memory.map((most, index) => [`${(index + 1) * 20} %`, most]))
  return [{ name: 'patients, MiB', events: folded, ...fifths, seconds: Math.round(whole / 1_000) }]
}

async function fillEventStore({ databaseUrl, dataDir }: BenchTarget, events: number): Promise<void> {
  const pool = openPool(databaseUrl, 4)
  for (const name of ['pg_trgm', 'unaccent', 'btree_gist', 'btree_gin'])
    await pool.query(`create extension if not exists ${name}`)
  await withOpenStores({ config: readConfig({ DATA_DIR: dataDir }), pool }, ({ store }) => writeHistory(store, events))
  await pool.query('vacuum analyze es.events')
  await pool.end()
}

/** With the memory settings of `npm run projections`. */
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
