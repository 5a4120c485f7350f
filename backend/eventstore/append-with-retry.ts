import type { Position } from './event.ts'
import {
  type Appended,
  type AppendedTogether,
  type AppendOptions,
  EventIdConflict,
  type EventStore,
  NothingWritten,
  StorageFull,
  type StreamAppend,
  StoreUnavailable,
} from './event-store.ts'

/** Milliseconds after which a certain failure is not retried: the next attempt would most likely wait as long. */
const maxRetriedMs = 500

/** The events of other streams, and streams that are compared, in one append with the events of a command. */
export type Joined = {
  appends: readonly StreamAppend[]
  /** Called with the place of the last event of the first of `appends`. */
  onAppended: (written: { revision: bigint; position: Position }) => void
}

/** The events of a command cannot be written together with others; nothing was written. */
export class NotJoined extends Error {}

type AppendOnceMore = AppendOptions & { idempotencyKey: string | undefined }

/** Appends events to their stream, twice if need be (see `callWithRetry`). */
export const appendWithRetry = (
  store: EventStore,
  { stream, expected, events }: StreamAppend,
  options: AppendOnceMore,
): Promise<Appended> =>
  callWithRetry((first) => store.append(stream, expected, events, first), options, {
    status: 'conflict',
    actual: expected,
  })

/** Appends events and what is joined with them. A conflict is one of their own stream; throws NotJoined for others. */
export async function appendJoined(
  store: EventStore,
  write: StreamAppend,
  { appends, onAppended }: Joined,
  options: AppendOnceMore,
): Promise<Appended> {
  const all = [write, ...appends]
  const call = (first?: AppendOptions) => store.appendTogether?.(all, first) ?? Promise.reject(new NotJoined())
  const conflict: AppendedTogether = { status: 'conflict', streams: [write.stream] }
  const appended = await callWithRetry(call, options, conflict)
  if (appended.status === 'too-large') return appended
  if (appended.status === 'conflict') {
    if (appended.streams.includes(write.stream)) return { status: 'conflict', actual: write.expected }
    throw new NotJoined()
  }
  const [own, next] = appended.written
  if (!own || !next) throw new TypeError('An append to several streams has no result')
  onAppended(next)
  return { status: appended.status, ...own }
}

/**
 * Appends; after a lost reply once more with the same ids: the store reports whether the first attempt was written. Throws
 * NothingWritten only when neither attempt can be written any more.
 */
async function callWithRetry<Result>(
  append: (options?: AppendOptions) => Promise<Result>,
  { idempotencyKey, ...options }: AppendOnceMore,
  conflict: Result,
): Promise<Result> {
  const began = performance.now()
  try {
    return await append(options)
  } catch (error) {
    // The same command, decided at another time, was written since the stream was read: it is found when it is read again.
    if (error instanceof EventIdConflict && idempotencyKey !== undefined) return conflict
    if (!(error instanceof StoreUnavailable) || error instanceof StorageFull) throw error
    if (error instanceof NothingWritten && performance.now() - began > maxRetriedMs) throw error
    return await append().catch((second: unknown) => {
      throw second instanceof NothingWritten ? error : second
    })
  }
}
