import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Position } from '#eventstore/event.ts'
import { inTransaction } from '#database/pool.ts'
import { isBehind } from '#projections/position.ts'
import { type AnyProjection, readHandledEvents } from '#projections/projection.ts'
import { catchUp, applyInTransaction, type Shadow } from './shadow.ts'
import { dropTableSql, renameTableSql } from '#projections/table-names.ts'
import { asPrevious } from '#projections/tables.ts'

const finalPageSize = 1_000
const maxRetryDelayMs = 1_000

/** Waits only briefly for locks: later readers would queue behind this transaction while it waits for a slow one. */
const beginSql = `begin; set local lock_timeout to '300ms'; set local idle_in_transaction_session_timeout to '10s'`

/**
 * Swaps a shadow table in. One transaction locks the checkpoint, folds the remaining events and renames the tables:
 * readers see one table or the other, and never older data than before. The replaced table is kept as the previous one.
 */
export async function swapWithRetry(shadow: Shadow, live: AnyProjection): Promise<void> {
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
    shadow.signal.throwIfAborted()
    shadow.onPage('swapping', 0, shadow.position)
    try {
      return await inTransaction(shadow.client, beginSql, () => swapTables(shadow, live))
    } catch (error) {
      if (!isLockConflict(error)) {
        // Finds the event that cannot be folded, if that is the cause.
        await catchUp(shadow)
        throw error
      }
      await sleep(delayMs, undefined, { signal: shadow.signal })
    }
  }
}

/** Returns whether a reader or a runner holds a lock at the moment: lock time-out or deadlock. */
const isLockConflict = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

async function swapTables(shadow: Shadow, live: AnyProjection): Promise<void> {
  const { client, projection } = shadow
  const { rows } = await client.query<{ position: Position | null }>(
    'select position from read.checkpoints where name = $1 for update',
    [live.name],
  )
  const goal = rows[0]?.position ?? null
  let position = shadow.position
  for (let hasMore = true; hasMore;) {
    const { events, next, scanned } = await readHandledEvents(shadow.store, projection, position, finalPageSize)
    if (scanned > 0) await applyInTransaction(shadow, events, next)
    position = next
    hasMore = scanned === finalPageSize && isBehind(position, goal)
  }
  await renameTables(client, projection, live)
  await client.query(
    `update read.checkpoints
     set version = $2, position = $3, state = 'running', failed_at_position = null, error = null, updated_at = now(),
         state_since = case state when 'running' then state_since else now() end
     where name = $1`,
    [live.name, live.version, position],
  )
}

/** Renames both tables and moves their checkpoints along. */
async function renameTables(client: Client, from: AnyProjection, live: AnyProjection): Promise<void> {
  const previous = asPrevious(live)
  const temporary = { name: `${live.name}~swapping` }
  if (from.name !== previous.name) await client.query(dropTableSql(previous))
  await client.query(renameTableSql(live, temporary))
  await client.query(renameTableSql(from, live))
  await client.query(renameTableSql(temporary, previous))
  await client.query('delete from read.checkpoints where name = any($1)', [[from.name, previous.name]])
  await client.query(
    `insert into read.checkpoints (name, version, position, state, updated_at)
     select $2, version, position, 'previous', updated_at from read.checkpoints where name = $1`,
    [live.name, previous.name],
  )
}
