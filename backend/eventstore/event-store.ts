import type { NewEvent, Position, Recorded } from './event.ts'

/** The revision a writer believes the stream has; a stream that has no event yet is `no-stream`. */
export type ExpectedRevision = bigint | 'no-stream'

/** What came of an append. A conflict is a value, because the writer decides anew; it is not a failure. */
export type Appended =
  | { readonly status: 'appended'; readonly revision: bigint; readonly position: Position }
  /** These very events were written before, by a try whose answer was lost. */
  | { readonly status: 'already-appended'; readonly revision: bigint; readonly position: Position }
  | { readonly status: 'conflict'; readonly actual: ExpectedRevision }
  /** More than 1 MiB of data in one append. Nothing was written. */
  | { readonly status: 'too-large' }

/** The largest append, in bytes of event data as UTF-8 JSON. The same on every store. */
export const maxAppendBytes = 1_048_576

/** A stretch of the record. */
export type EventPage = {
  readonly events: Recorded[]
  /** The last event that was looked at, which is where to go on; where the reader was already if there was none. */
  readonly next: Position | null
  /** How many events were looked at, whether they came or not: fewer than the limit only where the record ends. */
  readonly scanned: number
}

/** A page of the whole history: at most `limit` events are scanned; without `types` all of them are returned. */
export type ReadAllOptions = { readonly limit: number; readonly types?: readonly string[] | undefined }

/** The port behind which events are kept. Every adapter passes one contract suite (tests/eventstore). */
export type EventStore = {
  /**
   * Writes all or nothing. The same events at the same place again are told apart from new ones by their ids. Throws
   * StoreUnavailable when it is not known whether they were written, EventIdTaken when other content is there.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>
  /** Oldest first, from revision `from` on (inclusive). A stream that does not exist is empty. */
  read(stream: string, from?: bigint): AsyncIterable<Recorded>
  /**
   * Returns the next `limit` events after a position (exclusive), in commit order; with `types` only those of them that
   * have one of these types, so that a page in the middle of the history may be empty. Throws ForeignPosition where the
   * store can tell that it never issued this position.
   */
  readAll(after: Position | null, options: ReadAllOptions): Promise<EventPage>
  /** The position of the newest event. */
  head(): Promise<Position | null>
  /** Whether a position is of this kind of store. With one of another kind, `readAll` throws ForeignPosition. */
  isOwnPosition(position: Position): boolean
  /**
   * Returns how far into the history a position is, as a number that grows with it; 0 for null. For progress displays
   * only: the unit is the store's own. Throws ForeignPosition.
   */
  estimateOffset(position: Position | null): number
  /** Calls when there may be news. A hint: correctness never rests on it. Returns how to stop listening. */
  onWake(listener: () => void): () => void
}

/** An event id that is already taken by other content: a bug of the writer, never a business case. */
export class EventIdConflict extends Error {}

/** The store cannot be reached or does not answer; whether something was written is unknown. Try again with the same ids. */
export class StoreUnavailable extends Error {}

/** A position of another store: what was derived from the one cannot go on from the other. */
export class ForeignPosition extends Error {}
