import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { ComposedApp } from '#main/compose.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import { generateKey } from '#encryption/cipher.ts'
import { resolveFromRoot } from '#runtime/root.ts'
import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { createClient } from '#tests/support/client.ts'
import { withStandaloneApp } from '#tests/support/standalone-app.ts'
import { benchAnalytics } from './analytics.ts'
import { benchAppends } from './appends.ts'
import { benchAppointments } from './appointments.ts'
import { benchWebhooks } from './billing.ts'
import { benchBookings } from './bookings.ts'
import { benchBrowser } from './browser.ts'
import { benchDashboard } from './dashboard.ts'
import { benchFlames } from './flames.ts'
import { parseFlags, type BenchPart } from './flags.ts'
import { benchLag, benchManyProjections } from './projection-lag.ts'
import { benchHttp } from './http.ts'
import { benchKurrentDb } from './kurrentdb.ts'
import { benchMemory, benchRebuilds } from './rebuilds.ts'
import { benchPages } from './pages.ts'
import { benchReads } from './reads.ts'
import { benchSamples } from './samples.ts'
import { benchSearch } from './search.ts'
import { benchScaling, type FilledStore, fillEventStore } from './scaling.ts'
import { formatTable } from './timing.ts'

const { seconds, json, short, chosen } = parseFlags(process.argv.slice(2))

const parts: Record<BenchPart, () => Promise<Record<string, readonly Record<string, string | number>[]>>> = {
  appends: async () => ({ appends: await benchAppends(await createDatabase('appends'), seconds) }),
  kurrentdb: async () => {
    const address = process.env['EVENTSTORE_URL']?.trim() || undefined
    const { appends, copy } = await benchKurrentDb(address, await createDatabase('kurrentdb'), seconds)
    return { kurrentdbAppends: appends, kurrentdbCopy: copy }
  },
  reads: async () => ({ reads: await benchReads(await createDatabase('reads'), seconds) }),
  http: async () => {
    const databaseUrl = await createDatabase('http')
    const { rows, lag } = await withApp(databaseUrl, (url, app) => benchHttp(url, app, databaseUrl, seconds))
    return { http: rows, lagAfterAnswer: lag }
  },
  flames: async () => ({
    flames: await withApp(await createDatabase('flames'), (url) =>
      benchFlames(url, seconds, resolveFromRoot('.cache/flames')),
    ),
  }),
  appointments: async () => ({
    appointments: await withApp(await createDatabase('appointments'), (url) => benchAppointments(url, seconds)),
    bookings: await withApp(await createDatabase('bookings'), (url, app) => benchBookings(url, app, seconds)),
  }),
  samples: async () => ({
    samples: await withApp(await createDatabase('samples'), (url) => benchSamples(url, seconds), true),
  }),
  live: async () => ({
    manyProjections: await benchManyProjections(await createDatabase('one'), await createDatabase('twenty'), seconds),
    lag: await benchLag(await createDatabase('lag'), seconds),
  }),
  rebuilds: async () => ({ rebuilds: await benchRebuilds(await createTarget('rebuilds'), 200_000) }),
  'rebuild-memory': async () => ({
    rebuildMemory: short ? [] : await benchMemory(await createTarget('million'), 1_000_000),
  }),
  scaling: async () => ({ scaling: await benchRecordSizes(short ? [1_000, 10_000] : [1_000, 100_000, 1_000_000], []) }),
  search: async () => ({
    search: await withApp(await createDatabase('search'), (url, app) => benchSearch(url, app, seconds)),
  }),
  dashboard: async () => ({
    dashboard: await withApp(await createDatabase('dashboard'), (url, app) => benchDashboard(url, app, seconds)),
  }),
  analytics: async () => ({
    analytics: short
      ? []
      : await withApp(await createDatabase('analytics'), (url, app) => benchAnalytics(url, app, seconds)),
  }),
  billing: async () => ({
    billing: await withApp(await createDatabase('billing'), (url, app) => benchWebhooks(url, app, seconds)),
  }),
  pages: async () => ({ pages: await withApp(await createDatabase('pages'), benchPages) }),
  browser: async () => await withApp(await createDatabase('browser'), benchBrowser),
}

const masterKey = generateKey()
const print = (text: string) => json || console.log(text)

// With the durability of production, so that the results apply to it.
const folder = await mkdtemp(join(os.tmpdir(), 'everchart-bench-'))
const database = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
try {
  print(
    `Everchart bench: ${os.cpus()[0]?.model ?? 'unknown processor'}, ${os.cpus().length} cores, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  print(`The client, the application and PostgreSQL share these cores. ${seconds} s per row.\n`)
  const measured: Record<string, readonly object[]> = {}
  for (const part of chosen) {
    const tables = await parts[part]()
    for (const [name, rows] of Object.entries(tables)) {
      measured[name] = rows
      if (rows.length > 0) print(`${formatTable(rows)}\n`)
    }
  }
  const memoryMb = Math.round(process.memoryUsage().rss / 1024 / 1024)
  print(`memory of this process (client and application): ${memoryMb} MB`)
  if (json) console.log(JSON.stringify({ node: process.version, ...measured, memoryMb }, null, 2))
} finally {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}

async function createDatabase(name: string): Promise<string> {
  const admin = new Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`create database bench_${name}`)
  await admin.end()
  const address = new URL(database.url)
  address.pathname = `/bench_${name}`
  return address.href
}

/** Creates a database and a data folder for its keys. */
async function createTarget(name: string) {
  return { databaseUrl: await createDatabase(name), dataDir: join(folder, name) }
}

/** Runs one application per event count at the same time, so that requests can be interleaved. */
async function benchRecordSizes(
  [events, ...rest]: number[],
  filled: FilledStore[],
): Promise<Awaited<ReturnType<typeof benchScaling>>> {
  if (events === undefined) return await benchScaling(filled, seconds)
  const databaseUrl = await createDatabase(`events_${events}`)
  const { practice, registration } = await withApp(databaseUrl, (url) =>
    newSubscriber({ newClient: () => createClient(url) }),
  )
  await fillEventStore(databaseUrl, masterKey, PracticeId.parse(practice.id), events)
  return await withApp(databaseUrl, async (url) => {
    const client = createClient(url)
    const { status } = await client.post('/api/login', { email: registration.email, password: registration.password })
    if (status !== 200) throw new Error(`the sign-in of the owner replied ${status}`)
    return benchRecordSizes(rest, [...filled, { events, client }])
  })
}

function withApp<Result>(
  databaseUrl: string,
  run: (url: string, app: ComposedApp) => Promise<Result>,
  hasSamplePractices = false,
): Promise<Result> {
  return withStandaloneApp({ databaseUrl, masterKey, hasSamplePractices }, run)
}
