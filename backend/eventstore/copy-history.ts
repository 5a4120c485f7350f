import { createHash, type Hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewEvent, Position, Recorded } from './event.ts'
import { type EventStore, type ExpectedRevision, largestAppend, StoreUnavailable } from './event-store.ts'

/** How far a copy is, in events. */
export type CopyProgress = { step: 'counting' | 'comparing' | 'copying' | 'verifying'; done: number; total: number }

/** A whole history, moved. `hash` is SHA-256 over every event in its order, equal on both sides. */
export type Copied = {
  events: number
  /** How many of them were in the target before this run. */
  already: number
  hash: string
  /** Whether something was written to the source since the copy began; another run brings it over. */
  grown: boolean
}

/** The copy cannot go on, for a reason that somebody has to look at. Nothing that was there is ever changed. */
export class CopyRefused extends Error {}

type Batch = { events: Recorded[]; bytes: number }
type Options = { progress?: (progress: CopyProgress) => void; signal?: AbortSignal }

const page = 1_000
const mostEvents = 500
const longestPause = 5_000
const tries = 12

/**
 * Copies everything, in its order, with the same ids, streams, revisions and bytes; positions and the moment of recording are
 * the target's own. Broken off, it goes on where it was at the next run. Throws CopyRefused when the target holds
 * anything else, and what `signal` was aborted with.
 */
export async function copyHistory(from: EventStore, to: EventStore, options: Options = {}): Promise<Copied> {
  const { progress = () => undefined, signal } = options
  const head = await patiently(() => from.head())
  const total = await count(from, head, (done) => progress({ step: 'counting', done, total: done }), signal)
  const source = hasher()
  const there = everything(to, null, signal)
  let already: number | undefined
  let batch: Batch = { events: [], bytes: 0 }

  const flush = async () => {
    await write(to, batch.events)
    batch = { events: [], bytes: 0 }
  }

  for await (const event of everything(from, head, signal)) {
    source.add(event)
    if (already === undefined) {
      const next = await there.next()
      if (next.done) already = source.count() - 1
      else if (lineOf(next.value) !== lineOf(event))
        throw new CopyRefused(`The target holds another history: it differs at event ${source.count()}`)
    }
    if (already !== undefined) {
      const bytes = Buffer.byteLength(JSON.stringify(event.data))
      if (!belongs(event, bytes, batch)) await flush()
      batch.events.push(event)
      batch.bytes += bytes
    }
    progress({ step: already === undefined ? 'comparing' : 'copying', done: source.count(), total })
  }
  await flush()
  if (already === undefined && !(await there.next()).done)
    throw new CopyRefused(`The target holds more than the source: it goes on after event ${source.count()}`)
  await there.return(undefined)

  const target = hasher()
  for await (const event of everything(to, null, signal)) {
    target.add(event)
    progress({ step: 'verifying', done: target.count(), total })
  }
  const [sourceHash, targetHash] = [source.end(), target.end()]
  if (source.count() !== target.count() || sourceHash !== targetHash)
    throw new CopyRefused(
      `The copy is not the same: ${source.count()} events ${sourceHash} became ${target.count()} events ${targetHash}`,
    )
  const grown = (await patiently(() => from.head())) !== head
  return { events: source.count(), already: already ?? source.count(), hash: sourceHash, grown }
}

/** Everything up to a position, or to the end. */
async function* everything(store: EventStore, last: Position | null, signal?: AbortSignal): AsyncGenerator<Recorded> {
  for (let after: Position | null = null; ;) {
    signal?.throwIfAborted()
    const { events, next } = await patiently(() => store.readAll(after, page))
    if (events.length === 0) return
    for (const event of events) {
      if (last !== null && event.position > last) return
      yield event
    }
    after = next
  }
}

async function count(store: EventStore, last: Position | null, seen: (count: number) => void, signal?: AbortSignal) {
  let done = 0
  if (last !== null) for await (const _ of everything(store, last, signal)) seen(++done)
  return done
}

/** One append takes what follows in one stream, as long as it fits. */
function belongs({ stream, revision }: Recorded, size: number, { events, bytes }: Batch): boolean {
  const last = events.at(-1)
  if (!last) return true
  const follows = stream === last.stream && revision === last.revision + 1n
  return follows && events.length < mostEvents && bytes + size <= largestAppend
}

async function write(to: EventStore, batch: readonly Recorded[]): Promise<void> {
  const [first] = batch
  if (!first) return
  const expected: ExpectedRevision = first.revision === 0n ? 'no-stream' : first.revision - 1n
  const events = batch.map(({ id, type, data, metadata }): NewEvent => ({ id, type, data, metadata }))
  const { status } = await patiently(() => to.append(first.stream, expected, events))
  if (status !== 'appended' && status !== 'already-appended')
    throw new CopyRefused(`The target does not take revision ${first.revision} of ${first.stream}: ${status}`)
}

/** A store that is away for a moment is waited for, with growing pauses. The same ids make a second try harmless. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === tries) throw error
      await sleep(Math.min(50 * 2 ** attempt, longestPause))
    }
  }
}

const lineOf = ({ id, stream, revision, type, data, metadata }: Recorded): string =>
  `${JSON.stringify([id, stream, String(revision), type, data, metadata])}\n`

function hasher() {
  const hash: Hash = createHash('sha256')
  let events = 0
  return {
    add(event: Recorded) {
      hash.update(lineOf(event))
      events++
    },
    count: () => events,
    end: () => hash.digest('hex'),
  }
}
