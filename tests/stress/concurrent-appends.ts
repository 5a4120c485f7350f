import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { NewEvent } from '#eventstore/event.ts'
import { appendGroup } from '#eventstore/postgres/group-append.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool, withConnection } from '#database/pool.ts'
import { newEvent } from '#tests/support/events.ts'
import { readUntilIdle, untilAnswered } from './follower.ts'

/** What many writers wrote and what the readers beside them made of it. */
export type AppendsReport = {
  appends: number
  events: number
  /** Transactions that were rolled back after their append: no reader may ever see one of those. */
  rolledBack: number
  conflicts: number
  /** The first of what went wrong, as a person would say it, and how many there were. */
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
  /** Done when the stores are open and nothing is written yet. */
  onStoresOpen?: (pool: Pool) => Promise<void>
}

type Outcome = 'appended' | 'rolledBack' | { actual: bigint }

const instanceCount = 4
const pauseProbability = 0.15
const maxPauseMs = 3
const maxReportedProblems = 10
const streamLength = 50

/**
 * Every other writer appends through a store (four of them, as four copies of the application), the others call the
 * function of the record in transactions of their own with other statements and pauses around it, and roll back every
 * tenth. One append in eight goes to a stream that all of them share. Two readers follow meanwhile.
 */
export async function runConcurrentAppends(options: Options): Promise<AppendsReport> {
  const { url, appends, writers, onProgress: progress, signal, onStoresOpen: whenOpen } = options
  const began = performance.now()
  const pools = Array.from({ length: instanceCount }, () => openPool(url, Math.ceil(writers / instanceCount) + 4))
  const stores = await Promise.all(pools.map((pool) => openPostgresStore(pool)))
  const [pool] = pools as [Pool]
  const [watched] = stores as [PostgresStore]
  await pool.query('create table if not exists beside_the_record (event_id uuid not null)')
  await whenOpen?.(pool)

  const written = new Set<string>()
  const besides = new Set<string>()
  const problems: string[] = []
  const count = { appends: 0, rolledBack: 0, conflicts: 0, problems: 0 }
  const note = (problem: string) => {
    count.problems++
    if (problems.length < maxReportedProblems) problems.push(problem)
  }
  const before = await watched.head()
  let writing = true
  const reading = Promise.all(
    [watched, stores.at(-1) ?? watched].map((store, index) =>
      readUntilIdle(
        store,
        before,
        (problem) => note(`reader ${index + 1}: ${problem}`),
        () => writing,
      ),
    ),
  )
  const tips = new Map<string, bigint>()
  let begun = 0

  async function write(writer: number): Promise<void> {
    const store = stores[writer % instanceCount] as PostgresStore
    const own = pools[writer % instanceCount] as Pool
    for (let turn = 0; begun < appends && !signal?.aborted; turn++) {
      const shared = Math.random() < 1 / 8
      const stream = shared ? `shared-${turn % 3}` : `writer-${writer}-${Math.floor(turn / streamLength)}`
      const expected = tips.get(stream) ?? -1n
      const events = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () =>
        newEvent('Stressed', { writer, turn }),
      )
      begun++
      try {
        const throughStore = writer % 2 === 0
        const outcome = await (throughStore
          ? appendThroughStore(store, stream, expected, events)
          : appendInTransaction(own, stream, expected, events))
        if (outcome === 'appended') {
          count.appends++
          for (const { id } of events) written.add(id)
          if (!throughStore) for (const { id } of events) besides.add(id)
          raise(stream, expected + BigInt(events.length))
          progress?.(count.appends)
          continue
        }
        begun--
        if (outcome === 'rolledBack') count.rolledBack++
        else {
          count.conflicts++
          if (!shared) note(`${stream} has one writer and met a conflict at ${expected}: it is at ${outcome.actual}`)
          tips.set(stream, outcome.actual)
        }
      } catch (error) {
        note(`writer ${writer}: ${(error as Error).cause ?? error}`)
      }
    }
  }

  /** Two writers at a shared stream may tell of their appends in another order than they were made. */
  const raise = (stream: string, revision: bigint) => {
    if (revision > (tips.get(stream) ?? -1n)) tips.set(stream, revision)
  }

  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  writing = false
  const seen = await reading
  for (const [index, ids] of seen.entries()) {
    for (const id of written) if (!ids.has(id)) note(`reader ${index + 1} missed event ${id}`)
    for (const id of ids) if (!written.has(id)) note(`reader ${index + 1} saw event ${id}, which nobody committed`)
  }
  const { rows } = await pool.query<{ event_id: string }>('select event_id from beside_the_record')
  if (rows.length !== besides.size || rows.some(({ event_id: id }) => !besides.has(id)))
    note(`${rows.length} rows beside the record where ${besides.size} were committed with it`)

  for (const store of stores) await store.close()
  for (const each of pools) await each.end()
  const seconds = (performance.now() - began) / 1_000
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
  let tries = 0
  const appended = await untilAnswered(() => {
    tries++
    return store.append(stream, expected === -1n ? 'no-stream' : expected, events)
  })
  if (appended.status === 'appended' || (appended.status === 'already-appended' && tries > 1)) return 'appended'
  if (appended.status === 'conflict') return { actual: appended.actual === 'no-stream' ? -1n : appended.actual }
  throw new Error(`was answered ${appended.status}`)
}

/** The same append in a transaction with other statements, which takes its time before it commits. */
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
      const [outcome] = await appendGroup(client, [{ stream, expected, rows }])
      if (!outcome) throw new Error('was not answered')
      await client.query('insert into beside_the_record select unnest($1::uuid[])', [events.map(({ id }) => id)])
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
