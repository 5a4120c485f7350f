import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProjectionsCli } from '#cli/projections-command-line.ts'
import { findDamagedIndexes } from '#database/damaged-pages.ts'
import { openPool } from '#database/pool.ts'
import { StoreDamaged } from '#eventstore/event-store.ts'
import { modules } from '#main/modules.ts'
import { checkHealth } from '#tests/support/check-health.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

const pageBytes = 8_192
const damagedPage = 1
/** An index that neither health nor the order of the history reads. */
const damagedIndex = 'events_stream_revision'

let app: TestApp
/** With the owner's role: the application's may not look into the server's memory. */
let owner: Pool

beforeAll(async () => {
  app = await startTestApp()
  const { client } = await newOwner(app)
  const history = 'Seen for a check-up. '.repeat(40)
  // Several pages: the newest event, which health reads, is not on the damaged one.
  for (let patient = 0; patient < 60; patient++) {
    const form = { firstName: 'Ada', lastName: `Okafor ${patient}`, medicalHistory: history, allowDuplicate: true }
    expect((await client.post('/api/patients', form)).status).toBe(201)
  }
  owner = openPool(app.databaseUrl, 1)
  await owner.query('create extension pg_buffercache')
})
afterAll(async () => {
  await owner.end()
  await app.dispose()
})

/** Writes bytes into a page of the file of a table or an index, and returns those that were there. */
async function overwrite(relation: string, bytes: Buffer): Promise<Buffer> {
  const { rows } = await owner.query<{ folder: string; file: string }>(
    `select current_setting('data_directory') as folder, pg_relation_filepath($1) as file`,
    [relation],
  )
  const handle = await open(path.join(rows[0]?.folder ?? '', rows[0]?.file ?? ''), 'r+')
  const before = Buffer.alloc(bytes.length)
  const at = damagedPage * pageBytes + pageBytes / 2
  await handle.read(before, 0, bytes.length, at)
  await handle.write(bytes, 0, bytes.length, at)
  await handle.close()
  return before
}

/** Makes PostgreSQL read a table or an index from the disk again. */
const evict = (relation: string) => owner.query('select pg_buffercache_evict_relation($1)', [relation])

/**
 * Damages a page until a read meets it: one that PostgreSQL was still changing is written over the damage once. Returns the
 * bytes that were last found undamaged.
 */
async function damage(relation: string, isMet: () => Promise<boolean>): Promise<Buffer> {
  const damaged = Buffer.alloc(64, 'damage')
  await owner.query('checkpoint')
  let intact = await overwrite(relation, damaged)
  await waitUntil(async () => {
    await evict(relation)
    if (await isMet()) return true
    const found = await overwrite(relation, damaged)
    if (!found.equals(damaged)) intact = found
    return false
  })
  return intact
}

async function countEvents(stream: string): Promise<number> {
  let events = 0
  for await (const _ of app.services.store.read(stream)) events++
  return events
}

async function verify() {
  const lines: string[] = []
  const terminal = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
    bar: null,
    ask: null,
    signal: new AbortController().signal,
    account: 'operator',
  }
  const projections = modules.flatMap((module) => module.projections ?? [])
  const { store, keyStore, pool } = app.services
  const code = await runProjectionsCli(['verify', '--all'], projections, terminal, (run) =>
    run({ store, keyStore, pool }),
  )
  return { code, text: lines.join('\n') }
}

it('a damaged page of the events makes health red, and verify names the page and its events', async () => {
  const { pool, store, jobs } = app.services
  expect((await readAllEvents(store)).length).toBeGreaterThan(25)
  await expect.poll(() => checkHealth(app)).toMatchObject({ status: 'ok', damaged: [] })
  const { rows: lost } = await pool.query<{ position: number }>(
    'select position::int from es.events where ctid >= $1::tid and ctid < $2::tid order by position',
    [`(${damagedPage},0)`, `(${damagedPage + 1},0)`],
  )
  const { rows: streams } = await pool.query<{ stream: string; is_lost: boolean }>(
    `select distinct on (is_lost) stream, is_lost
     from (select stream, bool_or(position = any($1)) as is_lost from es.events group by stream) as streams`,
    [lost.map(({ position }) => position)],
  )
  const intact = await damage(
    'es.events',
    async () => (await readAllEvents(store).catch((error: unknown) => error)) instanceof StoreDamaged,
  )

  await expect
    .poll(() => checkHealth(app))
    .toMatchObject({
      status: 'down',
      services: { database: 'ok', eventStore: 'ok' },
      damaged: [{ table: 'es.events', index: null, pages: [damagedPage] }],
    })
  // Asked for at the same time, and so read in one statement.
  const reads = await Promise.allSettled(streams.map(({ stream }) => countEvents(stream)))
  expect(streams.map(({ is_lost }, index) => [is_lost, reads[index]?.status])).toEqual([
    [false, 'fulfilled'],
    [true, 'rejected'],
  ])
  const { code, text } = await verify()
  expect(code).toBe(1)
  expect(text).toContain(`es.events: 1 damaged page: ${damagedPage}`)
  const ranges = /events that cannot be read: (.+)/.exec(text)?.[1]?.split(', ') ?? []
  const named = ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split(' to ').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  expect(named).toEqual(lost.map(({ position }) => position))
  expect(text).toContain('restore the latest backup')
  expect(text).not.toContain('does not respond')

  await overwrite('es.events', intact)
  await evict('es.events')
  await jobs.send('check-stored-pages', {})
  await expect.poll(() => checkHealth(app)).toMatchObject({ status: 'ok', damaged: [] })
  expect((await verify()).code).toBe(0)
})

it('a damaged page of an index makes health red in the next night, and verify names the index and how to repair it', async () => {
  const { jobs, pool } = app.services
  const index = `es.${damagedIndex}`
  const found = { table: 'es.events', index: damagedIndex, pages: [damagedPage] }
  await damage(index, async () => (await findDamagedIndexes(pool)).length > 0)
  await jobs.send('check-stored-pages', {})
  await expect.poll(() => checkHealth(app)).toMatchObject({ status: 'down', damaged: [found] })

  await evict(index)
  const { code, text } = await verify()
  expect(code).toBe(1)
  expect(text).toContain(`es.events: the index ${damagedIndex} is damaged (page ${damagedPage})`)
  expect(text).not.toContain('restore the latest backup')
  const repair = /reindex index \S+/.exec(text)?.[0] ?? ''
  await owner.query(repair)

  expect((await verify()).code).toBe(0)
  await expect.poll(() => checkHealth(app)).toMatchObject({ status: 'ok', damaged: [] })
})
