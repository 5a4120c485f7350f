import { randomUUID } from 'node:crypto'
import { type AppendExpectedRevision, type BinaryEventType, binaryEvent, type EventData } from '@eventstore/db-client'
import type { NewEvent } from '#eventstore/event.ts'
import {
  type Appended,
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  maxAppendBytes,
  StoreUnavailable,
} from '#eventstore/event-store.ts'
import { type Connection, getErrorType, toStoreUnavailable, withCallTimeout } from './client.ts'
import { formatPosition } from './position.ts'
import { type createReader, decodeData, getAttemptId } from './reader.ts'

/** Time-out in milliseconds of the check whether the events of a timed-out append were written. */
const verifyTimeoutMs = 300
/** The library sends every event in a separate message: thousands of them take longer. */
const extraMsPerEvent = 2

type Dependencies = {
  connection: Connection
  reader: ReturnType<typeof createReader>
  /** Time-out of one call in milliseconds. */
  callTimeoutMs: number
  onAppended: () => void
}

type Append = EventStore['append']
type BinaryEvent = EventData<BinaryEventType>

/** Creates the write side of the adapter. */
export function createAppender(dependencies: Dependencies): Append {
  return async (stream, expected, events) => {
    const texts = events.map(({ data }) => JSON.stringify(data))
    if (texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) > maxAppendBytes)
      return { status: 'too-large' }
    if (events.length === 0) return await appendNothing(dependencies, stream, expected)
    const attempt = randomUUID()
    const outcome = await send(dependencies, stream, expected, encodeEvents(events, texts, attempt))
    if (outcome.status !== 'appended') return outcome
    const isRepeated = await wasAppendedBefore(dependencies, stream, expected, events, texts, attempt)
    if (isRepeated) return { ...outcome, status: 'already-appended' }
    dependencies.onAppended()
    return outcome
  }
}

/** Encodes events; the first one carries the id of this attempt, so that a repeated append can be recognized. */
const encodeEvents = (events: readonly NewEvent[], texts: readonly string[], attempt: string): BinaryEvent[] =>
  events.map(({ id, type, metadata }, index) =>
    binaryEvent({
      id,
      type,
      data: encodeText(texts[index] ?? ''),
      metadata: encodeText(JSON.stringify(index === 0 ? { ...metadata, attempt } : metadata)),
    }),
  )

/** Encodes text as a Uint8Array, not a Buffer: the library treats only that very class as bytes in metadata. */
const encodeText = (text: string) => new TextEncoder().encode(text)

async function send(
  dependencies: Dependencies,
  stream: string,
  expected: ExpectedRevision,
  events: BinaryEvent[],
  isSecondAttempt = false,
): Promise<Appended> {
  const { connection, callTimeoutMs } = dependencies
  const { client, credentials } = connection
  const expectedRevision: AppendExpectedRevision = expected === 'no-stream' ? 'no_stream' : expected
  const deadline = callTimeoutMs + events.length * extraMsPerEvent
  const options = { expectedRevision, credentials, deadline, requiresLeader: true }
  try {
    const { nextExpectedRevision: revision, position } = await withCallTimeout(
      deadline,
      client.appendToStream(stream, events, options),
    )
    if (!position) throw new Error('The event store is too old: it does not report the position of an append')
    return { status: 'appended', revision, position: formatPosition(position) }
  } catch (error) {
    switch (getErrorType(error)) {
      case 'wrong-expected-version':
        return { status: 'conflict', actual: parseActualRevision(error) }
      case 'maximum-append-size-exceeded':
        return { status: 'too-large' }
      case 'not-leader':
        // Nothing was written, and from now on the library uses the new leader.
        if (!isSecondAttempt) return await send(dependencies, stream, expected, events, true)
    }
    if (!isTimeout(error)) throw toStoreUnavailable(error)
    const appended = await findAfterTimeout(dependencies, stream, expected, events)
    if (!appended) throw toStoreUnavailable(error)
    return appended
  }
}

/**
 * Checks after a time-out whether the events were written: while the server is still writing an append, it delays a
 * repetition until that times out too. Events that are found were written; missing ones may still appear.
 */
async function findAfterTimeout(
  { reader }: Dependencies,
  stream: string,
  expected: ExpectedRevision,
  events: readonly BinaryEvent[],
): Promise<Appended | undefined> {
  const stored = await reader
    .readPage(stream, getNextRevision(expected), events.length, verifyTimeoutMs)
    .catch(() => [])
  const last = stored.at(-1)
  if (!last?.position || stored.length < events.length) return undefined
  if (stored.some(({ id }, index) => id !== events[index]?.id)) return undefined
  return { status: 'appended', revision: last.revision, position: formatPosition(last.position) }
}

/**
 * Returns whether an append that the server accepted was a repetition. The server compares nothing but ids and replies to
 * a repetition like to a first append: the attempt id of the first event tells them apart, and reading the events back
 * shows whether their content is equal (docs/decisions/0007). Throws EventIdConflict when it is not.
 */
async function wasAppendedBefore(
  { reader }: Dependencies,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  texts: readonly string[],
  attempt: string,
): Promise<boolean> {
  const from = getNextRevision(expected)
  try {
    const [first] = await reader.readPage(stream, from, 1)
    if (first && getAttemptId(first) === attempt) return false
    const stored = await reader.readPage(stream, from, events.length)
    const isEqual = events.every(({ id, type }, index) => {
      const event = stored[index]
      return event?.id === id && event.type === type && decodeData(event) === texts[index]
    })
    if (isEqual) return true
  } catch (error) {
    throw toStoreUnavailable(error)
  }
  throw new EventIdConflict(`Event ${events[0]?.id} exists with other content`)
}

/** Compares the revision only: there is nothing to send. */
async function appendNothing({ reader }: Dependencies, stream: string, expected: ExpectedRevision): Promise<Appended> {
  let actual: ExpectedRevision = 'no-stream'
  for await (const { revision } of reader.read(stream, expected === 'no-stream' ? 0n : expected)) actual = revision
  if (actual !== expected) return { status: 'conflict', actual }
  const position = (await reader.head()) ?? formatPosition({ commit: 0n, prepare: 0n })
  return { status: 'already-appended', revision: actual === 'no-stream' ? -1n : actual, position }
}

const getNextRevision = (expected: ExpectedRevision) => (expected === 'no-stream' ? 0n : expected + 1n)

/** Returns whether our time-out for a call, or the server's, has expired. */
const isTimeout = (error: unknown) =>
  error instanceof StoreUnavailable || ['timeout', 'deadline-exceeded'].includes(getErrorType(error))

function parseActualRevision(error: unknown): ExpectedRevision {
  const { actualVersion } = error as { actualVersion?: unknown }
  return typeof actualVersion === 'bigint' ? actualVersion : 'no-stream'
}
