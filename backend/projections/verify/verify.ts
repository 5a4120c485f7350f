import type { ClientBase } from 'pg'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventPage, EventStore } from '#eventstore/event-store.ts'
import { withTransaction } from '#database/pool.ts'
import type { Difference } from './differences.ts'
import { isBehind } from '#projections/position.ts'
import {
  type AnyProjection,
  getRowKeys,
  type Row,
  type Rows,
  readHandledEvents,
  selectStore,
} from '#projections/projection.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { foldEvent } from '#projections/rebuild/shadow.ts'
import { sealRows } from '#projections/sealed-columns.ts'
import { loadSkippedIds } from '#projections/skips.ts'
import { quoteIdentifier, quoteTableName } from '#projections/table-names.ts'
import { listColumns } from '#projections/tables.ts'
import { compareTotals } from '#projections/totals.ts'

/** Progress of a verification. `share` is from 0 to 1. */
type Progress = { events: number; share: number }

type Options = {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  onDifference?: (difference: Difference) => void
  /** Limit of the rows in memory. Above it, all events are folded several times, each time for a part of the rows. */
  maxRows?: number
}

/** The verified rows, the events they derive from, and the position of the comparison. */
export type VerifyResult = { rows: number; events: number; position: Position | null; differences: number }

const pageSize = 4_000
const rowsPerQuery = 500
const fetchSize = 5_000

/**
 * Folds all events of a projection in memory and compares the rows with its table, as PostgreSQL compares them, while
 * it is being read and updated. Throws FoldFailed at an event that cannot be folded, and the reason of the signal.
 */
export async function verifyProjection(
  engine: EngineContext,
  projection: AnyProjection,
  options: Options = {},
): Promise<VerifyResult> {
  const { pool } = engine
  const store = selectStore(engine, projection)
  const { maxRows = 50_000, onDifference, onProgress, signal } = options
  const skippedIds = await loadSkippedIds(engine.store, projection.name)
  const counted = await pool.query<{ rows: number }>(`select count(*)::int as rows from ${quoteTableName(projection)}`)
  const parts = Math.max(1, Math.ceil((counted.rows[0]?.rows ?? 0) / maxRows))
  const total: VerifyResult = { rows: 0, events: 0, position: null, differences: 0 }

  for (let part = 0; part < parts; part++) await verifyPart(part)
  return total

  async function verifyPart(part: number): Promise<void> {
    const own = { ...projection, rowOf: (event: Recorded) => getRowKeys(projection, event).filter(isOwn) }
    const rows: Rows = new Map()
    let reached: Position | null = null

    /** Folds up to a position, inclusive. */
    async function foldTo(goal: Position | null): Promise<void> {
      while (isBehind(reached, goal)) {
        signal?.throwIfAborted()
        const { events, next, scanned } = await readPage(reached, goal)
        if (scanned === 0) return
        for (const event of events) if (!skippedIds.has(event.id)) foldEvent(own, rows, event)
        if (part === 0) total.events += scanned
        reached = next
        const done = estimateShare(store, reached, goal)
        onProgress?.({ events: total.events, share: (part + done) / parts })
      }
    }

    /**
     * Reads the next page, cut off after the goal; the last page is read unfiltered to count its events up to there.
     */
    async function readPage(from: Position | null, goal: Position | null): Promise<EventPage> {
      const page = await readHandledEvents(store, projection, from, pageSize)
      if (!isBehind(goal, page.next)) return page
      const { events } = await store.readAll(from, { limit: pageSize })
      const upToGoal = events.filter(({ position }) => !isBehind(goal, position))
      return { events: upToGoal, next: goal, scanned: upToGoal.length }
    }

    const isOwn = (key: string) => hashKey(key) % parts === part
    // Folds most of it before the snapshot, which is then held only briefly.
    await foldTo((await loadCheckpoint(pool, projection)).position)
    await withTransaction(pool, 'begin isolation level repeatable read, read only', async (client) => {
      // Locked before the first read, so that no swap happens in between.
      await client.query(`lock table ${quoteTableName(projection)} in access share mode`)
      const { position } = await loadCheckpoint(client, projection)
      if (isBehind(position, reached)) throw new Error('The database has lost its last commits: verify again')
      await foldTo(position)
      const report = (difference: Difference) => {
        total.differences += 1
        onDifference?.(difference)
      }
      await compareRows(client, projection, rows, engine.keyStore, report)
      await findExtraRows(client, projection, (key) => isOwn(key) && !rows.get(key), report)
      if (part === 0) for (const difference of await compareTotals(client, projection)) report(difference)
      total.rows += [...rows.values()].filter((row) => row !== null).length
      total.position = position
    })
  }
}

async function loadCheckpoint(client: Pick<ClientBase, 'query'>, { name, version }: AnyProjection) {
  const { rows } = await client.query<{ position: Position | null }>(
    'select position from read.checkpoints where name = $1 and version = $2',
    [name, version],
  )
  if (!rows[0]) throw new Error(`The table of ${name} is not of version ${version}`)
  return rows[0]
}

/** Reports the rows that are missing or differ. */
async function compareRows(
  client: ClientBase,
  projection: AnyProjection,
  rows: Rows,
  keyStore: KeyStore | undefined,
  report: (difference: Difference) => void,
): Promise<void> {
  const key = quoteIdentifier(projection.key)
  const typed = listColumns(projection).map(([name, type]) => `${quoteIdentifier(name)} ${type}`)
  const differingSql = `
    select e.${key}::text as key, to_jsonb(l) as found, to_jsonb(e) as expected
    from jsonb_to_recordset($1::jsonb) as e(${typed.join(', ')})
    left join ${quoteTableName(projection)} l on l.${key} = e.${key}
    where to_jsonb(l) is distinct from to_jsonb(e)`
  const expectedRows = [...rows.values()].filter((row): row is Row => row !== null)
  for (let start = 0; start < expectedRows.length; start += rowsPerQuery) {
    const chunk = JSON.stringify(await sealRows(projection, expectedRows.slice(start, start + rowsPerQuery), keyStore))
    const found = await client.query<Difference>(differingSql, [chunk])
    found.rows.forEach(report)
  }
}

/** Reports the rows that no event accounts for. */
async function findExtraRows(
  client: ClientBase,
  projection: AnyProjection,
  isExtra: (key: string) => boolean,
  report: (difference: Difference) => void,
): Promise<void> {
  const [key, table] = [quoteIdentifier(projection.key), quoteTableName(projection)]
  await client.query(`declare keys no scroll cursor for select ${key}::text as key from ${table}`)
  for (let hasMore = true; hasMore;) {
    const { rows } = await client.query<{ key: string }>(`fetch ${fetchSize} from keys`)
    hasMore = rows.length === fetchSize
    const extra = rows.map((row) => row.key).filter(isExtra)
    if (extra.length === 0) continue
    const found = await client.query<Difference>(
      `select ${key}::text as key, to_jsonb(t) as found, null as expected from ${table} t where ${key}::text = any($1)`,
      [extra],
    )
    found.rows.forEach(report)
  }
}

function estimateShare(store: EventStore, position: Position | null, head: Position | null): number {
  const total = store.estimateOffset(head)
  return total === 0 ? 1 : Math.min(store.estimateOffset(position) / total, 1)
}

/** Returns the FNV-1a hash of a key, which distributes keys over parts. */
function hashKey(key: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < key.length; index++) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193)
  return value >>> 0
}
