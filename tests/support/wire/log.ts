/** One log entry as the server stores it. `position` is its first byte; there are no positions in between. */
export type Entry = {
  id: string
  stream: string
  revision: bigint
  position: bigint
  type: string
  contentType: string
  data: Uint8Array
  metadata: Uint8Array
  /** Milliseconds since 1970. */
  created: number
}

export type ProposedEvent = Pick<Entry, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>

/** The revision that the stream must have, or `no-stream`. */
export type ExpectedRevision = 'no-stream' | bigint

export type AppendResult =
  | { status: 'written'; revision: bigint | 'no-stream'; position: bigint | undefined }
  | { status: 'conflict'; current: bigint | 'no-stream' }
  | { status: 'too-large' }
  /** An event type was empty. */
  | { status: 'broken' }

/** Maximum size of an append: bytes of data of all events. */
export const maxAppendBytes = 1_048_576

/** The server writes a system event after this number of appends. */
const systemEventInterval = 5

const lastRevision = (entries: readonly Entry[]): bigint | 'no-stream' => entries.at(-1)?.revision ?? 'no-stream'

/** Creates the log of an EventStoreDB node, with its append rules and without the protocol. The nodes of a cluster share one. */
export function createWireLog() {
  const all: Entry[] = []
  const streams = new Map<string, Entry[]>()
  const listeners = new Set<() => void>()
  let end = 0n
  let appends = 0

  function write(stream: string, { id, type, contentType, data, metadata }: ProposedEvent): Entry {
    const entries = streams.get(stream) ?? []
    const revision = BigInt(entries.length)
    const entry = { id, type, contentType, data, metadata, stream, revision, position: end, created: Date.now() }
    end += BigInt(60 + stream.length + type.length + data.length + metadata.length)
    entries.push(entry)
    all.push(entry)
    streams.set(stream, entries)
    return entry
  }

  function writeSystemEvent(): void {
    const text = (value: object) => new TextEncoder().encode(JSON.stringify(value))
    write('$stats-127.0.0.1:2113', {
      id: crypto.randomUUID(),
      type: '$statsCollected',
      contentType: 'application/json',
      data: text({ 'proc-id': 1 }),
      metadata: new Uint8Array(),
    })
  }

  writeSystemEvent()

  return {
    all: all as readonly Entry[],
    stream: (name: string): readonly Entry[] | undefined => streams.get(name),
    /** Registers a listener for appends; returns a function that removes it. */
    listen(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    writeSystemEvent,
    /** Replaces the log, as a restored database would, by these events in one stream. */
    replaceWith(events: readonly { id: string; type: string; data: object; metadata: object }[]) {
      all.length = 0
      streams.clear()
      end = 0n
      writeSystemEvent()
      const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
      for (const { id, type, data, metadata } of events)
        write('appointments', {
          id,
          type,
          contentType: 'application/octet-stream',
          data: bytes(data),
          metadata: bytes(metadata),
        })
    },
    append(stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]): AppendResult {
      if (events.reduce((bytes, { data }) => bytes + data.length, 0) > maxAppendBytes) return { status: 'too-large' }
      if (events.some(({ type }) => type === '')) return { status: 'broken' }
      const entries = streams.get(stream) ?? []
      const start = expected === 'no-stream' ? 0 : Number(expected) + 1
      const before = entries.slice(start, start + events.length)
      const last = before.at(-1)
      // Only ids are compared: other content under the same ids is silently dropped.
      if (last && before.length === events.length && before.every(({ id }, index) => id === events[index]?.id))
        return { status: 'written', revision: last.revision, position: last.position }
      const current = lastRevision(entries)
      if (current !== expected) return { status: 'conflict', current }
      const written = events.map((event) => write(stream, event))
      if (++appends % systemEventInterval === 0) writeSystemEvent()
      for (const listener of listeners) listener()
      return {
        status: 'written',
        revision: lastRevision(streams.get(stream) ?? []),
        // An append without events gets a position too.
        position: (written.at(-1) ?? all.at(-1))?.position,
      }
    },
  }
}

export type WireLog = ReturnType<typeof createWireLog>
