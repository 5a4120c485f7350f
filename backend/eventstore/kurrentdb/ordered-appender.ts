import type { OrderedAppender, StoreUnavailable } from '#eventstore/event-store.ts'
import { callAppend, encodeEvents } from './append-call.ts'
import { connect, toStoreUnavailable } from './client.ts'

/**
 * Opens a connection of its own for appends in order. Without credentials of the call, the library sends all appends over one
 * batch call, which the server carries out one after the other. Only one such connection may be open in a process: the
 * library keeps the waiting appends of all of them in one table, and a broken connection rejects the appends of the others.
 * A repeated append is reported as `appended`; after a failure every later append fails.
 */
export function openOrderedAppender(address: string, timeoutMs: number): OrderedAppender {
  const { client } = connect(address)
  let opening: Promise<unknown> | undefined
  let failure: StoreUnavailable | undefined

  const append: OrderedAppender['append'] = async (stream, expected, events) => {
    const texts = events.map(({ data }) => JSON.stringify(data))
    // The library would send it on a new connection, in front of the appends that failed.
    if (failure) throw failure
    try {
      return await callAppend(client, stream, expected, encodeEvents(events, texts), { deadline: timeoutMs })
    } catch (error) {
      failure = toStoreUnavailable(error)
      throw failure
    }
  }

  return {
    async append(...args) {
      if (opening) {
        await opening
        return await append(...args)
      }
      // The batch call is opened by the first append: appends before it has been opened could overtake each other.
      const first = append(...args)
      opening = first.catch(() => undefined)
      return await first
    },
    close: () => client.dispose(),
  }
}
