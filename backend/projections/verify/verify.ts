import type { ClientBase } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventPage, EventStore } from '#eventstore/event-store.ts'
import { inTransaction, withConnection } from '#database/pool.ts'
import type { Difference } from './differences.ts'
import { isBehind } from '#projections/runner/subscription.ts'
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
import { loadSkippedIds } from '#projections/skips.ts'
import { listColumns, quoteIdentifier, quoteTableName } from '#projections/tables.ts'

/** How far a proof is: `share` goes from 0 to 1. */
type Progress = { events: number; share: number }

type Options = {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  onDifference?: (difference: Difference) => void
  /** How many rows may be in memory at once; with more, the record is folded several times, a part of the rows each. */
  maxRows?: number
}

/** What was proved: so many rows, made of so many events, as they were at a position. */
export type VerifyResult = { rows: number; events: number; position: Position | null; differences: number }

const pageSize = 4_000
const rowsPerQuery = 500
const fetchSize = 5_000

/**
 * Folds a read model anew in memory and compares it row by row with its table, as PostgreSQL sees both, while it goes on
 * being followed and read. Throws FoldFailed at an event that cannot be folded, and the signal's reason.
 */
export async function verifyProjection(
  engine: EngineContext,
  projection: AnyProjection,
  options: Options = {},
): Promise<VerifyResult> {
  const { pool } = engine
  const store = selectStore(engine, projection)
  const { maxRows: mostRows = 50_000, onDifference, onProgress, signal } = options
  const skips = await loadSkippedIds(engine.store, projection.name)
  const counted = await pool.query<{ rows: number }>(`select count(*)::int as rows from ${quoteTableName(projection)}`)
  const parts = Math.max(1, Math.ceil((counted.rows[0]?.rows ?? 0) / mostRows))
  const total: VerifyResult = { rows: 0, events: 0, position: null, differences: 0 }

  for (let part = 0; part < parts; part++) await provePart(part)
  return total

  async function provePart(part: number): Promise<void> {
    const own = { ...projection, rowOf: (event: Recorded) => getRowKeys(projection, event).filter(isOwn) }
    const rows: Rows = new Map()
    let reached: Position | null = null

    /** Up to and including a position, however much the store has after it. */
    async function foldTo(goal: Position | null): Promise<void> {
      while (isBehind(reached, goal)) {
        signal?.throwIfAborted()
        const { events, next, scanned: seen } = await pageTo(reached, goal)
        if (seen === 0) return
        for (const event of events) if (!skips.has(event.id)) foldEvent(own, rows, event)
        if (part === 0) total.events += seen
        reached = next
        const done = estimateShare(store, reached, goal)
        onProgress?.({ events: total.events, share: (part + done) / parts })
      }
    }

    /** The next page, cut off after the goal: there every event has to come, for only those up to it are counted. */
    async function pageTo(from: Position | null, goal: Position | null): Promise<EventPage> {
      const some = await readHandledEvents(store, projection, from, pageSize)
      if (!isBehind(goal, some.next)) return some
      const { events } = await store.readAll(from, { limit: pageSize })
      const due = events.filter(({ position }) => !isBehind(goal, position))
      return { events: due, next: goal, scanned: due.length }
    }

    const isOwn = (key: string) => hashKey(key) % parts === part
    // Most of it before the table is looked at, so that it is held as it is for a short time only.
    await foldTo((await loadCheckpoint(pool, projection)).position)
    await withConnection(pool, (client) =>
      inTransaction(client, 'begin isolation level repeatable read, read only', async () => {
        // The lock comes before the first look, so that no exchange can come in between.
        await client.query(`lock table ${quoteTableName(projection)} in access share mode`)
        const { position } = await loadCheckpoint(client, projection)
        if (isBehind(position, reached)) throw new Error('The database has lost its last moment: prove it again')
        await foldTo(position)
        const tell = (difference: Difference) => {
          total.differences += 1
          onDifference?.(difference)
        }
        await compareRows(client, projection, rows, tell)
        await findExtraRows(client, projection, (key) => isOwn(key) && !rows.get(key), tell)
        total.rows += [...rows.values()].filter((row) => row !== null).length
        total.position = position
      }),
    )
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

/** Tells of the rows that are not there, or not as they follow from the record. */
async function compareRows(
  client: ClientBase,
  projection: AnyProjection,
  rows: Rows,
  tell: (difference: Difference) => void,
): Promise<void> {
  const key = quoteIdentifier(projection.key)
  const typed = listColumns(projection).map(([name, type]) => `${quoteIdentifier(name)} ${type}`)
  const differing = `
    select e.${key}::text as key, to_jsonb(l) as found, to_jsonb(e) as expected
    from jsonb_to_recordset($1::jsonb) as e(${typed.join(', ')})
    left join ${quoteTableName(projection)} l on l.${key} = e.${key}
    where to_jsonb(l) is distinct from to_jsonb(e)`
  const there = [...rows.values()].filter((row): row is Row => row !== null)
  for (let start = 0; start < there.length; start += rowsPerQuery) {
    const some = JSON.stringify(there.slice(start, start + rowsPerQuery))
    const found = await client.query<Difference>(differing, [some])
    found.rows.forEach(tell)
  }
}

/** Tells of the rows that are there although nothing led to them. */
async function findExtraRows(
  client: ClientBase,
  projection: AnyProjection,
  isSurplus: (key: string) => boolean,
  tell: (difference: Difference) => void,
): Promise<void> {
  const [key, table] = [quoteIdentifier(projection.key), quoteTableName(projection)]
  await client.query(`declare keys no scroll cursor for select ${key}::text as key from ${table}`)
  for (let more = true; more;) {
    const { rows } = await client.query<{ key: string }>(`fetch ${fetchSize} from keys`)
    more = rows.length === fetchSize
    const surplus = rows.map((row) => row.key).filter(isSurplus)
    if (surplus.length === 0) continue
    const found = await client.query<Difference>(
      `select ${key}::text as key, to_jsonb(t) as found, null as expected from ${table} t where ${key}::text = any($1)`,
      [surplus],
    )
    found.rows.forEach(tell)
  }
}

function estimateShare(store: EventStore, position: Position | null, head: Position | null): number {
  const total = store.estimateOffset(head)
  return total === 0 ? 1 : Math.min(store.estimateOffset(position) / total, 1)
}

/** FNV-1a: spreads keys over parts. */
function hashKey(key: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < key.length; index++) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193)
  return value >>> 0
}
