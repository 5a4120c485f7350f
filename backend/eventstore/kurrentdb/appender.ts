import { randomUUID } from 'node:crypto'
import type { NewEvent } from '#eventstore/event.ts'
import {
  type Appended,
  type AppendOptions,
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  maxAppendBytes,
  StoreUnavailable,
} from '#eventstore/event-store.ts'
import { type BinaryEvent, callAppend, encodeEvents } from './append-call.ts'
import type { AttemptLog } from './attempt-log.ts'
import { type Connection, getErrorType, toStoreUnavailable } from './client.ts'
import { formatPosition } from './position.ts'
import { type createReader, decodeData, getAttemptMark } from './reader.ts'

/** Time-out in milliseconds of the check whether the events of a timed-out append were written. */
const verifyTimeoutMs = 300
/** The library sends every event in a separate message: thousands of them take longer. */
const extraMsPerEvent = 2

type Dependencies = {
  connection: Connection
  reader: ReturnType<typeof createReader>
  attempts: AttemptLog
  /** Time-out of one call in milliseconds. */
  callTimeoutMs: number
  onAppended: (options?: AppendOptions) => void
}

type Append = EventStore['append']

/** Creates the write side of the adapter. */
export function createAppender(dependencies: Dependencies): Append {
  const { attempts } = dependencies
  return async (stream, expected, events, options) => {
    const texts = events.map(({ data }) => JSON.stringify(data))
    if (texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) > maxAppendBytes)
      return { status: 'too-large' }
    const [first] = events
    if (!first) return await appendNothing(dependencies, stream, expected)
    const mark = randomUUID()
    const attempt = attempts.begin(first.id)
    const { outcome, isCertain } = await send(dependencies, stream, expected, encodeEvents(events, texts, mark))
    if (outcome.status !== 'appended') {
      attempt.end()
      return outcome
    }
    const isFirst = isCertain && attempt.isFirst(outcome.position, options?.isFirstAttempt?.())
    if (!isFirst && (await wasAppendedBefore(dependencies, stream, expected, events, texts, mark))) {
      attempt.end()
      // The earlier attempt may have woken no listener, because its reply was lost.
      dependencies.onAppended(options)
      return { ...outcome, status: 'already-appended' }
    }
    attempt.end(outcome.position)
    dependencies.onAppended(options)
    return outcome
  }
}

/** Sends an append. The result is not certain when only a later read found it. */
async function send(
  dependencies: Dependencies,
  stream: string,
  expected: ExpectedRevision,
  events: BinaryEvent[],
  isSecondAttempt = false,
): Promise<{ outcome: Appended; isCertain: boolean }> {
  const { connection, callTimeoutMs } = dependencies
  const { client, credentials } = connection
  const deadline = callTimeoutMs + events.length * extraMsPerEvent
  try {
    const outcome = await callAppend(client, stream, expected, events, { credentials, deadline })
    return { outcome, isCertain: true }
  } catch (error) {
    // Nothing was written, and from now on the library uses the new leader.
    if (getErrorType(error) === 'not-leader' && !isSecondAttempt)
      return await send(dependencies, stream, expected, events, true)
    if (!isTimeout(error)) throw toStoreUnavailable(error)
    const appended = await findAfterTimeout(dependencies, stream, expected, events)
    if (!appended) throw toStoreUnavailable(error)
    return { outcome: appended, isCertain: false }
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
 * a repetition like to a first append: the mark of the first event tells them apart, and reading the events back shows
 * whether their content is equal (docs/decisions/0007). Throws EventIdConflict when it is not.
 */
async function wasAppendedBefore(
  { reader }: Dependencies,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  texts: readonly string[],
  mark: string,
): Promise<boolean> {
  const from = getNextRevision(expected)
  try {
    const [first] = await reader.readPage(stream, from, 1)
    if (first && getAttemptMark(first) === mark) return false
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
