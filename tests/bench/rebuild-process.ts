import { pino } from 'pino'
import { modules } from '#backend/modules.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { createFeed } from '#projections/feed.ts'
import { rebuild } from '#projections/rebuild.ts'
import { prepareTables } from '#projections/tables.ts'

/** What one process has measured: events and milliseconds, and the most memory of each fifth of its work in MiB. */
export type Measured = { events: number; folding: number; whole: number; memory: number[] }

const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** A process of its own, so that its memory is that of this work alone: `rebuild`, `follow` or `read`, which, where. Prints JSON. */
async function main([task, name, databaseUrl = '']: string[]): Promise<Measured> {
  const projection = modules.flatMap(({ projections = [] }) => projections).find((one) => one.name === name)
  if (!projection) throw new Error(`There is no read model ${name}`)
  const pool = openPool(databaseUrl, 8)
  const store = await postgresStore(pool)
  await pool.query('drop schema if exists read cascade')
  await prepareTables(pool, [projection])
  const memory = [0, 0, 0, 0, 0]
  const watch = (share: number) => {
    const fifth = Math.min(4, Math.floor(share * 5))
    memory[fifth] = Math.max(memory[fifth] ?? 0, mebibytes(process.memoryUsage.rss()))
  }
  const began = performance.now()
  const since = () => performance.now() - began
  if (task === 'rebuild') {
    let [events, folding] = [0, 0]
    const result = await rebuild({ store, pool }, projection, {
      onProgress({ stage, events: soFar, share }) {
        watch(share)
        if (stage === 'folding') events = soFar
        else folding ||= since()
      },
    })
    if (result.status !== 'done') throw new Error(result.status)
    return { events, folding, whole: since(), memory }
  }
  if (task === 'read') {
    let events = 0
    for (let after: string | null = null, more = true; more;) {
      const page = await store.readAll(after, 2_000)
      events += page.events.length
      after = page.next
      more = page.events.length > 0
      watch(events)
    }
    return { events, folding: since(), whole: since(), memory }
  }
  // From the second event on, as live read models go on after a pause: all at once it would be folded beside.
  const first = await store.readAll(null, 1)
  await pool.query('update read.checkpoints set position = $1', [first.next])
  const feed = createFeed({ store, pool, projections: [projection], logger: pino({ level: 'silent' }) })
  await feed.start()
  const whole = since()
  const [state] = await feed.state()
  if (state?.lag !== 0 || state.state !== 'running') throw new Error(`It is ${state?.state}, ${state?.lag} behind`)
  await feed.stop()
  watch(1)
  const { rows } = await pool.query<{ events: number }>('select count(*)::int as events from es.events')
  return { events: rows[0]?.events ?? 0, folding: whole, whole, memory }
}

process.stdout.write(`${JSON.stringify(await main(process.argv.slice(2)))}\n`)
process.exit(0)
