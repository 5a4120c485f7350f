import { setTimeout as sleep } from 'node:timers/promises'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { isBehind } from './position.ts'
import type { EngineContext } from './rebuild/rebuild.ts'
import { loadCheckpoints } from './runner/checkpoints.ts'
import { recordSkip } from './skips.ts'
import { asShadow } from './tables.ts'

/** The outcome of a retry. `rebuild`: it was the rebuild that had failed; the operator has to start it again. */
export type ResumeOutcome = 'running' | 'failed-again' | 'not-running' | 'rebuild'

const resumeTimeoutMs = 5_000

/**
 * Retries the event at which a projection or process manager failed. Throws OperationRefused when it has not failed.
 */
export async function retryProjection(engine: EngineContext, owner: NamedSubscriber): Promise<ResumeOutcome> {
  return await resume(engine, owner, await findFailedCheckpoint(engine, owner))
}

/**
 * Skips the event at which a projection or process manager failed, now and in every rebuild, and records the operator
 * and the reason. Throws OperationRefused when it has not failed at this event.
 */
export async function skipEvent(
  engine: EngineContext,
  owner: NamedSubscriber,
  position: Position,
  decision: { by: string; why: string },
): Promise<ResumeOutcome> {
  const failed = await findFailedCheckpoint(engine, owner, position)
  const event = await findEvent(engine.store, failed.from, position)
  if (!event) throw new OperationRefused(`There is no event at ${position}`)
  await recordSkip(engine.store, owner.name, event, decision)
  return await resume(engine, owner, failed)
}

type NamedSubscriber = { readonly name: string }
type FailedCheckpoint = { name: string; at: Position; from: Position | null }

async function findFailedCheckpoint(
  engine: EngineContext,
  owner: NamedSubscriber,
  position?: Position,
): Promise<FailedCheckpoint> {
  const checkpoints = await loadCheckpoints(engine)
  const own = [checkpoints.get(owner.name), checkpoints.get(asShadow(owner).name)]
  const failed = own.filter((checkpoint) => checkpoint?.state === 'failed')
  const [found] =
    position === undefined ? failed : failed.filter((checkpoint) => checkpoint?.failed_at_position === position)
  if (found?.failed_at_position) return { name: found.name, at: found.failed_at_position, from: found.position }
  const positions = failed.map((checkpoint) => checkpoint?.failed_at_position).join(' and ')
  throw new OperationRefused(positions ? `${owner.name} has failed at ${positions}` : `${owner.name} has not failed`)
}

async function findEvent(store: EventStore, from: Position | null, position: Position): Promise<Recorded | undefined> {
  for await (const { events, next } of readPages(store, from)) {
    const found = events.find((event) => event.position === position)
    if (found || isBehind(position, next)) return found
  }
  return undefined
}

/** Marks a checkpoint as running, which its runner notices within a second, and waits for the outcome. */
async function resume(
  { pool }: EngineContext,
  owner: NamedSubscriber,
  { name, at }: FailedCheckpoint,
): Promise<ResumeOutcome> {
  const isShadow = name !== owner.name
  await pool.query(
    `update read.checkpoints set state = $3, failed_at_position = null, error = null, state_since = now()
     where name = $1 and failed_at_position = $2`,
    [name, at, isShadow ? 'rebuilding' : 'running'],
  )
  if (isShadow) return 'rebuild'
  for (const startedAt = Date.now(); Date.now() - startedAt < resumeTimeoutMs;) {
    await sleep(100)
    const checkpoint = (await loadCheckpoints({ pool })).get(name)
    if (checkpoint?.state === 'failed') return 'failed-again'
    if (!isBehind(checkpoint?.position ?? null, at)) return 'running'
  }
  return 'not-running'
}
