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
import { connect, getErrorType, toStoreUnavailable, withCallTimeout } from './client.ts'
import { formatPosition, isPosition, parsePosition } from './position.ts'
import { getAttemptId, createReader, decodeData } from './reader.ts'
import { subscribeToAppends } from './append-subscription.ts'

/** How long one call may take, in milliseconds: a command of three calls still answers within five seconds. */
const defaultCallTimeoutMs = 1_400
/** How long to look, after a time-out, whether the events are there. */
const verifyTimeoutMs = 300
/** The library sends every event in a message of its own: thousands of them take their time. */
const extraMsPerEvent = 2

type Options = {
  /** Milliseconds for one call, or between two events of a read. */
  callTimeoutMs?: number
}

/** The event store in EventStoreDB or KurrentDB, and how to let go of it. */
export type EventStoreDbStore = EventStore & { close(): Promise<void> }

/**
 * Opens the record kept in EventStoreDB or KurrentDB. It need not be there yet: until it answers, calls fail with
 * StoreUnavailable. Throws when the address is none. A time-out means that it is not known whether something was
 * written; whoever repeats the call with the same ids and the same expected revision learns it.
 */
export function openEventStoreDb(
  address: string,
  { callTimeoutMs: patience = defaultCallTimeoutMs }: Options = {},
): EventStoreDbStore {
  const connection = connect(address)
  const { client, credentials } = connection
  const { some, read, readAll, head } = createReader(connection, patience)
  const listeners = new Set<() => void>()
  const wake = () => listeners.forEach((listener) => listener())
  const stopListening = subscribeToAppends(connection, wake)

  async function append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    const texts = events.map(({ data }) => JSON.stringify(data))
    if (texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) > maxAppendBytes)
      return { status: 'too-large' }
    if (events.length === 0) return await appendNothing(stream, expected)
    const attempt = randomUUID()
    const stored = events.map(({ id, type, metadata }, index) =>
      binaryEvent({
        id,
        type,
        data: encodeText(texts[index] ?? ''),
        metadata: encodeText(JSON.stringify(index === 0 ? { ...metadata, attempt } : metadata)),
      }),
    )
    const outcome = await send(stream, expected, stored)
    if (outcome.status !== 'appended') return outcome
    const earlier = await writtenBefore(stream, expected, events, texts, attempt)
    if (earlier) return { ...outcome, status: 'already-appended' }
    wake()
    return outcome
  }

  async function send(
    stream: string,
    expected: ExpectedRevision,
    events: EventData<BinaryEventType>[],
    secondTry = false,
  ): Promise<Appended> {
    const expectedRevision: AppendExpectedRevision = expected === 'no-stream' ? 'no_stream' : expected
    const deadline = patience + events.length * extraMsPerEvent
    const options = { expectedRevision, credentials, deadline, requiresLeader: true }
    try {
      const { nextExpectedRevision: revision, position } = await withCallTimeout(
        deadline,
        client.appendToStream(stream, events, options),
      )
      if (!position) throw new Error('The event store is too old: it does not say where it wrote')
      return { status: 'appended', revision, position: formatPosition(position) }
    } catch (error) {
      switch (getErrorType(error)) {
        case 'wrong-expected-version':
          return { status: 'conflict', actual: parseActualRevision(error) }
        case 'maximum-append-size-exceeded':
          return { status: 'too-large' }
        case 'not-leader':
          // Nothing was written, and the library goes to the new leader from now on.
          if (!secondTry) return await send(stream, expected, events, true)
      }
      if (!isTimeout(error)) throw toStoreUnavailable(error)
      const found = await lookFor(stream, expected, events)
      if (!found) throw toStoreUnavailable(error)
      return found
    }
  }

  /**
   * After a time-out: a store that was sent the same again while it was still writing them lets the second call wait for
   * nothing, until its own time is up. What is there then is no longer unknown; what is not may still come.
   */
  async function lookFor(
    stream: string,
    expected: ExpectedRevision,
    events: EventData<BinaryEventType>[],
  ): Promise<Appended | undefined> {
    const from = expected === 'no-stream' ? 0n : expected + 1n
    const there = await some(stream, from, events.length, verifyTimeoutMs).catch(() => [])
    const last = there.at(-1)
    if (!last?.position || there.length < events.length) return undefined
    if (there.some(({ id }, index) => id !== events[index]?.id)) return undefined
    return { status: 'appended', revision: last.revision, position: formatPosition(last.position) }
  }

  /**
   * The store compares nothing but ids, and answers a repetition like a first time. Which of the two it was, is told by
   * the mark of the try on the first event; whether the content is the same, by reading it back.
   */
  async function writtenBefore(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    texts: readonly string[],
    attempt: string,
  ): Promise<boolean> {
    const from = expected === 'no-stream' ? 0n : expected + 1n
    try {
      const [first] = await some(stream, from, 1)
      if (first && getAttemptId(first) === attempt) return false
      const there = await some(stream, from, events.length)
      const same = events.every(({ id, type }, index) => {
        const event = there[index]
        return event?.id === id && event.type === type && decodeData(event) === texts[index]
      })
      if (same) return true
    } catch (error) {
      throw toStoreUnavailable(error)
    }
    throw new EventIdConflict(`Event ${events[0]?.id} is already there with other content`)
  }

  /** Nothing to write is nothing to send: only the revision is compared. */
  async function appendNothing(stream: string, expected: ExpectedRevision): Promise<Appended> {
    let actual: ExpectedRevision = 'no-stream'
    for await (const { revision } of read(stream, expected === 'no-stream' ? 0n : expected)) actual = revision
    if (actual !== expected) return { status: 'conflict', actual }
    const position = (await head()) ?? formatPosition({ commit: 0n, prepare: 0n })
    return { status: 'already-appended', revision: actual === 'no-stream' ? -1n : actual, position }
  }

  return {
    append,
    read,
    readAll,
    head,
    isOwnPosition: isPosition,
    estimateOffset: (position) => (position === null ? 0 : Number(parsePosition(position).commit)),
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      await stopListening()
      await withCallTimeout(patience, client.dispose()).catch(() => undefined)
    },
  }
}

/** A Uint8Array and no Buffer: the library takes metadata of exactly that class for bytes. */
const encodeText = (text: string) => new TextEncoder().encode(text)

/** Our own time for a call is up, or the store's. */
const isTimeout = (error: unknown) =>
  error instanceof StoreUnavailable || ['timeout', 'deadline-exceeded'].includes(getErrorType(error))

function parseActualRevision(error: unknown): ExpectedRevision {
  const { actualVersion } = error as { actualVersion?: unknown }
  return typeof actualVersion === 'bigint' ? actualVersion : 'no-stream'
}
