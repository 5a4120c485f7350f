import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { modules } from '#backend/modules.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { writeHistory } from './history.ts'
import type { Measured } from './rebuild-process.ts'

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
const perSecond = (events: number, milliseconds: number) => Math.round((events / milliseconds) * 1_000)

/** Every registered read model over the same so many events, one after the other, each in a process of its own. */
export async function benchRebuilds(databaseUrl: string, events: number): Promise<RebuildRow[]> {
  await fill(databaseUrl, events)
  const read = await inProcess('read', names[0] ?? '', databaseUrl)
  const reading = perSecond(read.events, read.whole)
  const rows: RebuildRow[] = []
  for (const name of names) {
    const rebuilt = await inProcess('rebuild', name, databaseUrl)
    const followed = await inProcess('follow', name, databaseUrl)
    rows.push({
      name,
      events,
      'read/s': reading,
      'folded/s': perSecond(rebuilt.events, rebuilt.folding),
      'rebuilt/s': perSecond(rebuilt.events, rebuilt.whole),
      'followed/s': perSecond(followed.events, followed.whole),
      'most MiB': Math.max(...rebuilt.memory),
    })
  }
  return rows
}

/** Memory of the largest read model's rebuild over so many events, at its most in each fifth of the way, in MiB. */
export async function benchMemory(databaseUrl: string, events: number): Promise<Record<string, string | number>[]> {
  await fill(databaseUrl, events)
  const { memory, events: folded, whole } = await inProcess('rebuild', 'patients', databaseUrl)
  const fifths = Object.fromEntries(memory.map((most, index) => [`${(index + 1) * 20} %`, most]))
  return [{ name: 'patients, MiB', events: folded, ...fifths, seconds: Math.round(whole / 1_000) }]
}

async function fill(databaseUrl: string, events: number): Promise<void> {
  const pool = openPool(databaseUrl, 4)
  for (const name of ['pg_trgm', 'unaccent', 'btree_gist', 'btree_gin'])
    await pool.query(`create extension if not exists ${name}`)
  const store = await postgresStore(pool)
  await writeHistory(store, events)
  await pool.query('vacuum analyze es.events')
  await store.close()
  await pool.end()
}

/** With the memory settings of `npm run projections`. */
async function inProcess(task: string, name: string, databaseUrl: string): Promise<Measured> {
  const settings = ['--max-semi-space-size=16', '--heap-growing-percent=30']
  const call = [...settings, 'tests/bench/rebuild-process.ts', task, name, databaseUrl]
  const { stdout } = await promisify(execFile)(process.execPath, call)
  return JSON.parse(stdout) as Measured
}
