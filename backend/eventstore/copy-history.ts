import { createHash, type Hash } from 'node:crypto'
import type { Position, Recorded } from './event.ts'
import type { EventStore } from './event-store.ts'
import { CopyError, createHistoryWriter, type HistoryTarget } from './history-writer.ts'
import { readPages } from './read-pages.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

/** Progress of a copy, in events. */
export type CopyProgress = { step: 'counting' | 'comparing' | 'copying' | 'verifying'; done: number; total: number }

/** Result of a complete copy. `hash` is SHA-256 over every event in its order, equal on both sides. */
export type CopyResult = {
  events: number
  /** Number of events that were in the target before this run. */
  alreadyPresent: number
  hash: string
  /** True when the source was written to since the copy began; another run copies the rest. */
  hasSourceGrown: boolean
}

type Options = { progress?: (progress: CopyProgress) => void; signal?: AbortSignal }

/**
 * Copies the whole history in its order, with the same ids, streams, revisions and bytes; positions and recording times
 * are assigned by the target. After an interruption the next run continues. Throws CopyError when the target holds anything
 * else, and the abort reason of `signal`.
 */
export async function copyHistory(from: EventStore, to: HistoryTarget, options: Options = {}): Promise<CopyResult> {
  const { progress = () => undefined, signal } = options
  const head = await retryWhileUnavailable(() => from.head())
  const total = await countEvents(from, head, (done) => progress({ step: 'counting', done, total: done }), signal)
  const source = createHistoryHasher()
  const existing = readHistory(to, null, signal)
  const writer = createHistoryWriter(to)
  let alreadyPresent: number | undefined

  try {
    for await (const event of readHistory(from, head, signal)) {
      source.add(event)
      if (alreadyPresent === undefined) {
        const next = await existing.next()
        if (next.done) alreadyPresent = source.count() - 1
        else if (serializeEvent(next.value) !== serializeEvent(event))
          throw new CopyError(`The target contains a different history: it differs at event ${source.count()}`)
      }
      if (alreadyPresent !== undefined) await writer.add(event)
      progress({ step: alreadyPresent === undefined ? 'comparing' : 'copying', done: source.count(), total })
    }
    await writer.flush()
  } finally {
    await writer.close()
  }
  if (alreadyPresent === undefined && !(await existing.next()).done)
    throw new CopyError(`The target has more events than the source: it continues after event ${source.count()}`)
  await existing.return(undefined)

  const target = createHistoryHasher()
  for await (const event of readHistory(to, null, signal)) {
    target.add(event)
    progress({ step: 'verifying', done: target.count(), total })
  }
  const [sourceHash, targetHash] = [source.end(), target.end()]
  if (source.count() !== target.count() || sourceHash !== targetHash)
    throw new CopyError(
      `The copy differs: source ${source.count()} events with hash ${sourceHash}, target ${target.count()} events with hash ${targetHash}`,
    )
  const hasSourceGrown = (await retryWhileUnavailable(() => from.head())) !== head
  return { events: source.count(), alreadyPresent: alreadyPresent ?? source.count(), hash: sourceHash, hasSourceGrown }
}

/** Reads the history up to a position (inclusive), or to the end. */
async function* readHistory(store: EventStore, last: Position | null, signal?: AbortSignal): AsyncGenerator<Recorded> {
  const readAll: EventStore['readAll'] = (after, options) => {
    signal?.throwIfAborted()
    return retryWhileUnavailable(() => store.readAll(after, options))
  }
  for await (const { events } of readPages({ readAll }))
    for (const event of events) {
      if (last !== null && event.position > last) return
      yield event
    }
}

async function countEvents(
  store: EventStore,
  last: Position | null,
  onCount: (count: number) => void,
  signal?: AbortSignal,
) {
  let count = 0
  if (last !== null) for await (const _ of readHistory(store, last, signal)) onCount(++count)
  return count
}

const serializeEvent = ({ id, stream, revision, type, data, metadata }: Recorded): string =>
  `${JSON.stringify([id, stream, String(revision), type, data, metadata])}\n`

function createHistoryHasher() {
  const hash: Hash = createHash('sha256')
  let events = 0
  return {
    add(event: Recorded) {
      hash.update(serializeEvent(event))
      events++
    },
    count: () => events,
    end: () => hash.digest('hex'),
  }
}
