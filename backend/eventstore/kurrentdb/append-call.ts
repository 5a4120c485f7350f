import {
  type AppendExpectedRevision,
  type BinaryEventType,
  binaryEvent,
  type Credentials,
  type EventData,
  type EventStoreDBClient,
} from '@eventstore/db-client'
import type { NewEvent } from '#eventstore/event.ts'
import type { Appended, ExpectedRevision } from '#eventstore/event-store.ts'
import { getErrorType, withCallTimeout } from './client.ts'
import { formatPosition } from './position.ts'

/** An event as the library sends it. */
export type BinaryEvent = EventData<BinaryEventType>

/**
 * Encodes events. The first one carries the mark of this attempt, by which a repeated append is recognized; `texts` is the
 * data of each event as JSON.
 */
export const encodeEvents = (events: readonly NewEvent[], texts: readonly string[], mark?: string): BinaryEvent[] =>
  events.map(({ id, type, metadata }, index) =>
    binaryEvent({
      id,
      type,
      data: encodeText(texts[index] ?? ''),
      metadata: encodeText(JSON.stringify(index === 0 && mark ? { ...metadata, attempt: mark } : metadata)),
    }),
  )

/** Encodes text as a Uint8Array, not a Buffer: the library treats only that very class as bytes in metadata. */
const encodeText = (text: string) => new TextEncoder().encode(text)

/** `deadline` is in milliseconds. Without credentials the library appends by its batch call (see ordered-appender.ts). */
type CallOptions = { credentials?: Credentials; deadline: number }

/** Appends events. A conflict and a size over the limit are values; throws the library's own errors and StoreUnavailable. */
export async function callAppend(
  client: EventStoreDBClient,
  stream: string,
  expected: ExpectedRevision,
  events: BinaryEvent[],
  { deadline, ...options }: CallOptions,
): Promise<Appended> {
  const expectedRevision: AppendExpectedRevision = expected === 'no-stream' ? 'no_stream' : expected
  try {
    const { nextExpectedRevision: revision, position } = await withCallTimeout(
      deadline,
      client.appendToStream(stream, events, { expectedRevision, deadline, requiresLeader: true, ...options }),
    )
    if (!position) throw new Error('The event store is too old: it does not report the position of an append')
    return { status: 'appended', revision, position: formatPosition(position) }
  } catch (error) {
    switch (getErrorType(error)) {
      case 'wrong-expected-version':
        return { status: 'conflict', actual: parseActualRevision(error) }
      case 'maximum-append-size-exceeded':
        return { status: 'too-large' }
    }
    throw error
  }
}

function parseActualRevision(error: unknown): ExpectedRevision {
  const { actualVersion } = error as { actualVersion?: unknown }
  return typeof actualVersion === 'bigint' ? actualVersion : 'no-stream'
}
