import { pino } from 'pino'
import { modules } from '#backend/modules.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { createFeed } from '#projections/feed.ts'
import { rebuild } from '#projections/rebuild.ts'

/** A process of its own, so that its memory is that of this work alone: `rebuild <name>` or `follow <name>`. Prints JSON. */
const [task, name, databaseUrl = ''] = process.argv.slice(2)
const projection = modules.flatMap(({ projections = [] }) => projections).find((one) => one.name === name)
if (!projection) throw new Error(`There is no read model ${name}`)
const pool = openPool(databaseUrl, 8)
const store = await postgresStore(pool)
const began = performance.now()
let [events, folded] = [0, 0]
if (task === 'rebuild') {
  const result = await rebuild({ store, pool }, projection, {
    onProgress(progress) {
      if (progress.stage === 'folding') events = progress.events
      else if (folded === 0) folded = performance.now() - began
    },
  })
  if (result.status !== 'done') throw new Error(result.status)
} else {
  const feed = createFeed({ store, pool, projections: [projection], logger: pino({ level: 'silent' }) })
  await feed.start()
  const [state] = await feed.state()
  if (state?.lag !== 0 || state.state !== 'running')
    throw new Error(`It is ${state?.state} with a lag of ${state?.lag}`)
  await feed.stop()
}
const milliseconds = performance.now() - began
const rssMiB = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(`${JSON.stringify({ events, folded, milliseconds, rssMiB })}\n`)
process.exit(0)
