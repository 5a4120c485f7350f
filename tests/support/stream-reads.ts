import type { EventStore } from '#eventstore/event-store.ts'

/**
 * Runs a function and returns how often a stream was read from the store while it ran. Reads of other streams do not
 * count: process managers read theirs at any moment.
 */
export async function countStreamReads(
  store: EventStore,
  stream: string,
  run: () => Promise<unknown>,
): Promise<number> {
  let count = 0
  const { read } = store
  store.read = (name, from) => {
    if (name === stream) count += 1
    return read.call(store, name, from)
  }
  try {
    await run()
  } finally {
    store.read = read
  }
  return count
}
