import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Position } from '#eventstore/event.ts'
import { inTransaction } from '#database/pool.ts'
import { isBehind } from '#projections/runner/subscription.ts'
import { type AnyProjection, readFor } from '#projections/projection.ts'
import { catchUp, foldInto, type Shadow } from './shadow.ts'
import { previousOf, quoted, tableOf } from '#projections/tables.ts'

const lastPage = 1_000
const longestPause = 1_000

/** A short wait for the locks: readers that come while we wait for one that is slow would wait behind us. */
const begin = `begin; set local lock_timeout to '300ms'; set local idle_in_transaction_session_timeout to '10s'`

/**
 * Lets a table that was folded beside take the place of the one that answers. Within one transaction, in which nobody else
 * can move the checkpoint, it takes in what is left and is renamed: readers see the one table or the other, and never
 * less than before. The table that answered stays as the previous one.
 */
export async function exchange(shadow: Shadow, live: AnyProjection): Promise<void> {
  for (let pause = 50; ; pause = Math.min(pause * 2, longestPause)) {
    shadow.signal.throwIfAborted()
    shadow.onPage('exchanging', 0, shadow.position)
    try {
      return await inTransaction(shadow.client, begin, () => takeThePlace(shadow, live))
    } catch (error) {
      if (!isBusy(error)) {
        // Where an event is to blame, this finds it.
        await catchUp(shadow)
        throw error
      }
      await sleep(pause, undefined, { signal: shadow.signal })
    }
  }
}

/** Somebody reads, or folds a batch, right now. */
const isBusy = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

async function takeThePlace(shadow: Shadow, live: AnyProjection): Promise<void> {
  const { client, projection } = shadow
  const { rows } = await client.query<{ position: Position | null }>(
    'select position from read.checkpoints where name = $1 for update',
    [live.name],
  )
  const goal = rows[0]?.position ?? null
  let position = shadow.position
  for (let more = true; more;) {
    const { events, next, seen } = await readFor(shadow.store, projection, position, lastPage)
    if (seen > 0) await foldInto(shadow, events, next)
    position = next
    more = seen === lastPage && isBehind(position, goal)
  }
  await rename(client, projection, live)
  await client.query(
    `update read.checkpoints
     set version = $2, position = $3, state = 'running', stopped_at = null, error = null, updated_at = now(),
         since = case state when 'running' then since else now() end
     where name = $1`,
    [live.name, live.version, position],
  )
}

/** The names of the tables, and their checkpoint rows with them. */
async function rename(client: Client, from: AnyProjection, live: AnyProjection): Promise<void> {
  const previous = previousOf(live)
  const aside = quoted(`${live.name}~aside`)
  if (from.name !== previous.name) await client.query(`drop table if exists ${tableOf(previous)}`)
  await client.query(`alter table ${tableOf(live)} rename to ${aside}`)
  await client.query(`alter table ${tableOf(from)} rename to ${quoted(live.name)}`)
  await client.query(`alter table read.${aside} rename to ${quoted(previous.name)}`)
  await client.query('delete from read.checkpoints where name = any($1)', [[from.name, previous.name]])
  await client.query(
    `insert into read.checkpoints (name, version, position, state, updated_at)
     select $2, version, position, 'kept', updated_at from read.checkpoints where name = $1`,
    [live.name, previous.name],
  )
}
