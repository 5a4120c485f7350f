import type { Pool, PoolClient } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import { foldBatch } from './batch.ts'
import { type AnyProjection, knows } from './projection.ts'

/** How far one read model is, as this process knows it. */
export type Follower = {
  readonly projection: AnyProjection
  position: Position | null
  /** What its checkpoint row says; lags behind `position` while nothing concerned it. */
  saved: Position | null
  state: 'running' | 'rebuilding' | 'failed'
}

/** A stretch of the record: the events after one position, up to and including another. */
export type Batch = { events: readonly Recorded[]; next: Position }

const after = (a: Position, b: Position | null) => b === null || a > b

/** Reads where a read model stands. One that had failed is tried again by every new process. */
export async function follow(pool: Pool, projection: AnyProjection): Promise<Follower> {
  const position = await savedPosition(pool, projection)
  return { projection, position, saved: position, state: position === null ? 'rebuilding' : 'running' }
}

async function savedPosition(pool: Pool, { name, version }: AnyProjection): Promise<Position | null> {
  const { rows } = await pool.query<{ position: Position | null }>(
    'select position from read.checkpoints where name = $1 and version = $2',
    [name, version],
  )
  return rows[0]?.position ?? null
}

/**
 * Takes a read model over a batch. Rows and checkpoint move in one transaction, so that every event counts exactly once,
 * however often it is delivered and whoever else follows. Answers false when another copy of the app is at it.
 */
export async function advance(pool: Pool, follower: Follower, { events, next }: Batch): Promise<boolean> {
  const { projection } = follower
  const news = events.filter((event) => after(event.position, follower.position) && knows(projection, event.type))
  if (news.length === 0) {
    if (after(next, follower.position)) follower.position = next
    return true
  }
  const moved = await inTransaction(pool, async (client) => {
    const held = await client.query<{ position: Position | null }>(
      'select position from read.checkpoints where name = $1 and version = $2 for update skip locked',
      [projection.name, projection.version],
    )
    const [checkpoint] = held.rows
    if (!checkpoint) return false
    const unseen = news.filter(({ position }) => after(position, checkpoint.position))
    await foldBatch(client, projection, unseen)
    if (after(next, checkpoint.position))
      await client.query(
        `update read.checkpoints
         set position = $2, state = 'running', stopped_at = null, error = null, updated_at = now() where name = $1`,
        [projection.name, next],
      )
    return true
  })
  if (moved) {
    follower.position = next
    follower.saved = next
    return true
  }
  const elsewhere = await savedPosition(pool, projection)
  if (elsewhere !== null && after(elsewhere, follower.position)) follower.position = elsewhere
  return false
}

/** Writes how far a read model is that nothing concerned for a while. */
export async function saveLazily(pool: Pool, follower: Follower): Promise<void> {
  const { projection, position } = follower
  if (position === null || position === follower.saved) return
  await pool.query(
    `update read.checkpoints set position = $3, updated_at = now()
     where name = $1 and version = $2 and (position is null or position < $3)`,
    [projection.name, projection.version, position],
  )
  follower.saved = position
}

/** Stops one read model at the event it cannot fold; the others go on. The kind of error is kept, never data. */
export async function stopAt(pool: Pool, follower: Follower, event: Recorded, error: unknown): Promise<void> {
  follower.state = 'failed'
  const kind = error instanceof Error ? `${error.name} ${(error as { code?: string }).code ?? ''}`.trim() : 'unknown'
  await pool.query(`update read.checkpoints set state = 'failed', stopped_at = $2, error = $3 where name = $1`, [
    follower.projection.name,
    event.position,
    `${event.type}: ${kind}`,
  ])
}

async function inTransaction<Result>(pool: Pool, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // Rows and checkpoint stay together, and what a crash takes back is folded again: no need to wait for the disk.
    await client.query('begin; set local synchronous_commit to off')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}
