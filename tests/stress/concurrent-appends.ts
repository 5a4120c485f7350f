import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { NewEvent } from '#eventstore/event.ts'
import { appendGroup } from '#eventstore/postgres/group-append.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool, withConnection } from '#database/pool.ts'
import { newEvent } from '#tests/support/events.ts'
import { readUntilIdle, retryTimeouts } from './reader.ts'

/** Counts and problems of a run of concurrent writers and readers. */
export type AppendsReport = {
  appends: number
  events: number
  /** Transactions rolled back after their append: no reader may ever see their events. */
  rolledBack: number
  conflicts: number
  /** The first problems as text, and the number of all. */
  problems: readonly string[]
  problemCount: number
  seconds: number
}

type Options = {
  url: string
  appends: number
  writers: number
  onProgress?: (written: number) => void
  signal?: AbortSignal
  /** Runs when the stores are open, before the first append. */
  onStoresOpen?: (pool: Pool) => Promise<void>
}

type Outcome = 'appended' | 'rolledBack' | { actual: bigint }

const instanceCount = 4
const pauseProbability = 0.15
const maxPauseMs = 3
const maxReportedProblems = 10
const streamLength = 50

/**
 * Runs concurrent writers and two readers. Every other writer appends through one of four stores, like four instances of
 * the application; the others call the append function in their own transactions, with other statements and pauses around
 * it, and roll back every tenth. One append in eight goes to a stream shared by all writers.
 */
export async function runConcurrentAppends(options: Options): Promise<AppendsReport> {
  const { url, appends, writers, onProgress, signal, onStoresOpen } = options
  const startedAt = performance.now()
  const pools = Array.from({ length: instanceCount }, () => openPool(url, Math.ceil(writers / instanceCount) + 4))
  const stores = await Promise.all(pools.map((pool) => openPostgresStore(pool)))
  const [pool] = pools as [Pool]
  const [watched] = stores as [PostgresStore]
  await pool.query('create table if not exists side_table (event_id uuid not null)')
  await onStoresOpen?.(pool)

  const written = new Set<string>()
  const sideTableIds = new Set<string>()
  const problems: string[] = []
  const count = { appends: 0, rolledBack: 0, conflicts: 0, problems: 0 }
  const reportProblem = (problem: string) => {
    count.problems++
    if (problems.length < maxReportedProblems) problems.push(problem)
  }
  const before = await watched.head()
  let isWriting = true
  const reading = Promise.all(
    [watched, stores.at(-1) ?? watched].map((store, index) =>
      readUntilIdle(
        store,
        before,
        (problem) => reportProblem(`reader ${index + 1}: ${problem}`),
        () => isWriting,
      ),
    ),
  )
  const revisions = new Map<string, bigint>()
  let started = 0

  async function write(writer: number): Promise<void> {
    const store = stores[writer % instanceCount] as PostgresStore
    const own = pools[writer % instanceCount] as Pool
    for (let turn = 0; started < appends && !signal?.aborted; turn++) {
      const shared = Math.random() < 1 / 8
      const stream = shared ? `shared-${turn % 3}` : `writer-${writer}-${Math.floor(turn / streamLength)}`
      const expected = revisions.get(stream) ?? -1n
      const events = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () =>
        newEvent('Stressed', { writer, turn }),
      )
      started++
      try {
        const throughStore = writer % 2 === 0
        const outcome = await (throughStore
          ? appendThroughStore(store, stream, expected, events)
          : appendInTransaction(own, stream, expected, events))
        if (outcome === 'appended') {
          count.appends++
          for (const { id } of events) written.add(id)
          if (!throughStore) for (const { id } of events) sideTableIds.add(id)
          raise(stream, expected + BigInt(events.length))
          onProgress?.(count.appends)
          continue
        }
        started--
        if (outcome === 'rolledBack') count.rolledBack++
        else {
          count.conflicts++
          if (!shared)
            reportProblem(`${stream} has one writer and a conflict at ${expected}: it is at ${outcome.actual}`)
          revisions.set(stream, outcome.actual)
        }
      } catch (error) {
        reportProblem(`writer ${writer}: ${(error as Error).cause ?? error}`)
      }
    }
  }

  /** Keeps the highest revision: two writers of a shared stream may report their appends out of order. */
  const raise = (stream: string, revision: bigint) => {
    if (revision > (revisions.get(stream) ?? -1n)) revisions.set(stream, revision)
  }

  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  isWriting = false
  const seen = await reading
  for (const [index, ids] of seen.entries()) {
    for (const id of written) if (!ids.has(id)) reportProblem(`reader ${index + 1} missed event ${id}`)
    for (const id of ids)
      if (!written.has(id)) reportProblem(`reader ${index + 1} saw event ${id}, which was never committed`)
  }
  const { rows } = await pool.query<{ event_id: string }>('select event_id from side_table')
  if (rows.length !== sideTableIds.size || rows.some(({ event_id: id }) => !sideTableIds.has(id)))
    reportProblem(`${rows.length} rows in the side table where ${sideTableIds.size} were committed`)

  for (const store of stores) await store.close()
  for (const each of pools) await each.end()
  const seconds = (performance.now() - startedAt) / 1_000
  const { problems: problemCount, ...counts } = count
  return { ...counts, events: written.size, problems, problemCount, seconds }
}

const pauseRandomly = async () => {
  if (Math.random() < pauseProbability) await pause(Math.random() * maxPauseMs)
}

async function appendThroughStore(
  store: PostgresStore,
  stream: string,
  expected: bigint,
  events: NewEvent[],
): Promise<Outcome> {
  await pauseRandomly()
  let attempts = 0
  const appended = await retryTimeouts(() => {
    attempts++
    return store.append(stream, expected === -1n ? 'no-stream' : expected, events)
  })
  if (appended.status === 'appended' || (appended.status === 'already-appended' && attempts > 1)) return 'appended'
  if (appended.status === 'conflict') return { actual: appended.actual === 'no-stream' ? -1n : appended.actual }
  throw new Error(`unexpected append status ${appended.status}`)
}

/** Appends in a transaction with other statements, pausing before the commit. */
async function appendInTransaction(pool: Pool, stream: string, expected: bigint, events: NewEvent[]): Promise<Outcome> {
  const rows = events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  }))
  return await withConnection(pool, async (client) => {
    await client.query('begin')
    try {
      await pauseRandomly()
      const [[outcome] = []] = await appendGroup(client, [[{ stream, expected, rows }]])
      if (!outcome) throw new Error('the append returned no outcome')
      await client.query('insert into side_table select unnest($1::uuid[])', [events.map(({ id }) => id)])
      await pauseRandomly()
      const keep = outcome.ok && Math.random() > 0.1
      await client.query(keep ? 'commit' : 'rollback')
      if (!outcome.ok) return { actual: outcome.revision }
      return keep ? 'appended' : 'rolledBack'
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })
}
