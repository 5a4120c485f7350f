import type { NewEvent, Position, Recorded } from './event.ts'

/** The revision a writer believes the stream has; a stream that has no event yet is `no-stream`. */
export type ExpectedRevision = bigint | 'no-stream'

/** Result of an append. A conflict is a value and not an error, because the writer decides again. */
export type Appended =
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: Position }
  /** The same events were written by an earlier attempt whose reply was lost. */
  | { readonly status: 'already-appended'; readonly revision: bigint; readonly position: Position }
  | { readonly status: 'conflict'; readonly actual: ExpectedRevision }
  /** More than `maxAppendBytes` of data in one append. Nothing was written. */
  | { readonly status: 'too-large' }

export type AppendOptions = {
  /**
   * Returns whether the caller is certain, at the moment of the call, that no other attempt has appended under these ids. A
   * store that replies to a repeated append as to the first one then need not find out. Omitted: there may have been one.
   */
  readonly isFirstAttempt?: (() => boolean) | undefined
  /**
   * False when the caller does not wait until the events have been read: the listeners of `onWake` are then called with the next append
   * that is waited for, or a moment later. True by default.
   */
  readonly isWaitedFor?: boolean | undefined
}

/** The events that belong to one stream in an append to several; without events the stream must only be at this revision. */
export type StreamAppend = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
}

/** Result of an append to several streams. `written` has an entry for each of those with events, in their order. */
export type AppendedTogether =
  | {
      readonly status: 'appended' | 'already-appended'
      readonly written: readonly { readonly revision: bigint; readonly position: Position }[]
    }
  /** The append wrote nothing, because `streams` were at other revisions. */
  | { readonly status: 'conflict'; readonly streams: readonly string[] }
  | { readonly status: 'too-large' }

/** Maximum size of an append, in bytes of event data as UTF-8 JSON. The same for every adapter. */
export const maxAppendBytes = 1_048_576

/** Consecutive events of the whole history. */
export type EventPage = {
  readonly events: Recorded[]
  /** Position of the last scanned event, from which to continue; the position asked for when there was none. */
  readonly next: Position | null
  /** Number of scanned events, returned or not: fewer than the limit only at the end of the history. */
  readonly scanned: number
}

/** A page of the whole history: at most `limit` events are scanned; without `types` all of them are returned. */
export type ReadAllOptions = { readonly limit: number; readonly types?: readonly string[] | undefined }

/** Port of the event store. Every adapter passes one contract suite (tests/eventstore/contract.ts). */
export type EventStore = {
  /**
   * Appends all events or none. A repeated append of the same events is recognized by their ids. Throws StoreUnavailable
   * when it is unknown whether they were written, its subclass NothingWritten when they certainly were not, and
   * EventIdConflict when an id is already used by other content.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<Appended>
  /**
   * Appends to several streams, all events or none, in the order of `appends`; a stream is named once. A repetition is recognized,
   * and errors are those of `append`. Missing in stores that write to one stream at a time.
   */
  appendTogether?: (appends: readonly StreamAppend[], options?: AppendOptions) => Promise<AppendedTogether>
  /** Reads a stream from revision `from` (inclusive), oldest event first. A stream that does not exist is empty. */
  read(stream: string, from?: bigint): AsyncIterable<Recorded>
  /**
   * Returns the next `limit` events after a position (exclusive), in commit order; with `types` only those of them that
   * have one of these types, so that a page in the middle of the history may be empty. Throws ForeignPosition where the
   * store can tell that it never issued this position.
   */
  readAll(after: Position | null, options: ReadAllOptions): Promise<EventPage>
  /** Returns the position of the newest event; null in an empty store. */
  head(): Promise<Position | null>
  /** Returns whether a position has the format of this adapter. With another one, `readAll` throws ForeignPosition. */
  isOwnPosition(position: Position): boolean
  /**
   * Returns how far into the history a position is, as a number that grows with it; 0 for null. For progress displays
   * only: the unit depends on the store. Throws ForeignPosition.
   */
  estimateOffset(position: Position | null): number
  /** Registers a listener that is called when new events may be available: a hint only, correctness must not depend on it. Returns a function that removes the listener. */
  onWake(listener: () => void): () => void
}

/**
 * Appends without waiting for the ones before: events are written in the order of the calls. After a failure nothing is
 * written whose predecessor is not; repeat all unconfirmed appends, in their order, on a new appender.
 */
export type OrderedAppender = { append: EventStore['append']; close(): Promise<void> }

/** An event id is already used by other content: a bug of the writer, never a business case. */
export class EventIdConflict extends Error {}

/** The store cannot be reached or does not reply; whether something was written is unknown. Retry with the same ids. */
export class StoreUnavailable extends Error {}

/** The store is unavailable, and the append was certainly not written: it was never sent, or was rolled back. */
export class NothingWritten extends StoreUnavailable {}

/** The disk of the store is full: nothing was written. Reads still work. */
export class StorageFull extends NothingWritten {}

/** A part of the store is damaged: these events cannot be read, however often one tries. */
export class StoreDamaged extends NothingWritten {}

/** A position was issued by another store: data derived from one cannot continue from the other. */
export class ForeignPosition extends Error {}
