import type { EventStore } from '#eventstore/event-store.ts'

/** Runs a function and returns the streams that were read from the store while it ran, in order. */
export async function recordStreamReads(store: EventStore, run: () => Promise<unknown>): Promise<string[]> {
  const streams: string[] = []
  const { read } = store
  store.read = (stream, from) => {
    streams.push(stream)
    return read.call(store, stream, from)
  }
  try {
    await run()
  } finally {
    store.read = read
  }
  return streams
}
