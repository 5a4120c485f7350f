import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Position } from '#eventstore/event.ts'
import { inTransaction } from '#database/pool.ts'
import { isBehind } from '#projections/runner/subscription.ts'
import { type AnyProjection, readHandledEvents } from '#projections/projection.ts'
import { catchUp, applyInTransaction, type Shadow } from './shadow.ts'
import { asPrevious, quoteIdentifier, quoteTableName } from '#projections/tables.ts'

const finalPageSize = 1_000
const maxRetryDelayMs = 1_000

/** A short wait for the locks: readers that come while we wait for one that is slow would wait behind us. */
const beginSql = `begin; set local lock_timeout to '300ms'; set local idle_in_transaction_session_timeout to '10s'`

/**
 * Lets a table that was folded beside take the place of the one that answers. Within one transaction, in which nobody else
 * can move the checkpoint, it takes in what is left and is renamed: readers see the one table or the other, and never
 * less than before. The table that answered stays as the previous one.
 */
export async function swapWithRetry(shadow: Shadow, live: AnyProjection): Promise<void> {
  for (let pause = 50; ; pause = Math.min(pause * 2, maxRetryDelayMs)) {
    shadow.signal.throwIfAborted()
    shadow.onPage('exchanging', 0, shadow.position)
    try {
      return await inTransaction(shadow.client, beginSql, () => swapTables(shadow, live))
    } catch (error) {
      if (!isLockConflict(error)) {
        // Where an event is to blame, this finds it.
        await catchUp(shadow)
        throw error
      }
      await sleep(pause, undefined, { signal: shadow.signal })
    }
  }
}

/** Somebody reads, or folds a batch, right now. */
const isLockConflict = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

async function swapTables(shadow: Shadow, live: AnyProjection): Promise<void> {
  const { client, projection } = shadow
  const { rows } = await client.query<{ position: Position | null }>(
    'select position from read.checkpoints where name = $1 for update',
    [live.name],
  )
  const goal = rows[0]?.position ?? null
  let position = shadow.position
  for (let more = true; more;) {
    const { events, next, scanned: seen } = await readHandledEvents(shadow.store, projection, position, finalPageSize)
    if (seen > 0) await applyInTransaction(shadow, events, next)
    position = next
    more = seen === finalPageSize && isBehind(position, goal)
  }
  await renameTables(client, projection, live)
  await client.query(
    `update read.checkpoints
     set version = $2, position = $3, state = 'running', stopped_at = null, error = null, updated_at = now(),
         since = case state when 'running' then since else now() end
     where name = $1`,
    [live.name, live.version, position],
  )
}

/** The names of the tables, and their checkpoint rows with them. */
async function renameTables(client: Client, from: AnyProjection, live: AnyProjection): Promise<void> {
  const previous = asPrevious(live)
  const aside = quoteIdentifier(`${live.name}~aside`)
  if (from.name !== previous.name) await client.query(`drop table if exists ${quoteTableName(previous)}`)
  await client.query(`alter table ${quoteTableName(live)} rename to ${aside}`)
  await client.query(`alter table ${quoteTableName(from)} rename to ${quoteIdentifier(live.name)}`)
  await client.query(`alter table read.${aside} rename to ${quoteIdentifier(previous.name)}`)
  await client.query('delete from read.checkpoints where name = any($1)', [[from.name, previous.name]])
  await client.query(
    `insert into read.checkpoints (name, version, position, state, updated_at)
     select $2, version, position, 'kept', updated_at from read.checkpoints where name = $1`,
    [live.name, previous.name],
  )
}
