import { setTimeout as sleep } from 'node:timers/promises'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { isBehind } from './runner/subscription.ts'
import { loadCheckpoints } from './status.ts'
import type { EngineContext } from './rebuild/rebuild.ts'
import { recordSkip } from './skips.ts'
import { asShadow } from './tables.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

/** What came of letting a read model go on. `rebuild`: it is the rebuild that stood still, and is to be called again. */
export type ResumeOutcome = 'running' | 'failed again' | 'nobody follows' | 'rebuild'

const resumeTimeoutMs = 5_000
const pageSize = 1_000

/** Lets a read model that stands still try its event again. Throws OperationRefused when it does not stand still. */
export async function retryProjection(engine: EngineContext, projection: NamedSubscriber): Promise<ResumeOutcome> {
  const stopped = await findFailedCheckpoint(engine, projection)
  return await resume(engine, projection, stopped)
}

/**
 * Leaves the event out at which a read model stands still, there and whenever it is folded anew, and records who decided
 * that and why. Throws OperationRefused when it does not stand still at this event.
 */
export async function skipEvent(
  engine: EngineContext,
  projection: NamedSubscriber,
  position: Position,
  decided: { by: string; why: string },
): Promise<ResumeOutcome> {
  const stopped = await findFailedCheckpoint(engine, projection, position)
  const event = await findEvent(engine.store, stopped.from, position)
  if (!event) throw new OperationRefused(`There is no event at ${position}`)
  await recordSkip(engine.store, projection.name, event, decided)
  return await resume(engine, projection, stopped)
}

/** A read model or a reactor. */
type NamedSubscriber = { readonly name: string }
type FailedCheckpoint = { name: string; at: Position; from: Position | null }

async function findFailedCheckpoint(
  engine: EngineContext,
  projection: NamedSubscriber,
  position?: Position,
): Promise<FailedCheckpoint> {
  const found = await loadCheckpoints(engine)
  const rows = [found.get(projection.name), found.get(asShadow(projection).name)]
  const stopped = rows.filter((row) => row?.state === 'failed')
  const [row] = position === undefined ? stopped : stopped.filter((each) => each?.stopped_at === position)
  if (row?.stopped_at) return { name: row.name, at: row.stopped_at, from: row.position }
  const where = stopped.map((each) => each?.stopped_at).join(' and ')
  throw new OperationRefused(
    where ? `${projection.name} stands still at ${where}` : `${projection.name} does not stand still`,
  )
}

async function findEvent(store: EventStore, from: Position | null, position: Position): Promise<Recorded | undefined> {
  for (let after = from; ;) {
    const { events, next } = await store.readAll(after, { limit: pageSize })
    const found = events.find((event) => event.position === position)
    if (found || events.length === 0 || isBehind(position, next)) return found
    after = next
  }
}

/** Whoever follows it sees within a second that it may go on; we look what came of it. */
async function resume(
  { pool }: EngineContext,
  projection: NamedSubscriber,
  { name, at }: FailedCheckpoint,
): Promise<ResumeOutcome> {
  const isNext = name !== projection.name
  await pool.query(
    `update read.checkpoints set state = $3, stopped_at = null, error = null, since = now()
     where name = $1 and stopped_at = $2`,
    [name, at, isNext ? 'rebuilding' : 'running'],
  )
  if (isNext) return 'rebuild'
  for (const began = Date.now(); Date.now() - began < resumeTimeoutMs;) {
    await sleep(100)
    const row = (await loadCheckpoints({ pool })).get(name)
    if (row?.state === 'failed') return 'failed again'
    if (!isBehind(row?.position ?? null, at)) return 'running'
  }
  return 'nobody follows'
}
