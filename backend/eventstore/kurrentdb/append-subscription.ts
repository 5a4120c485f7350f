import { END } from '@eventstore/db-client'
import { withTimeout } from '#runtime/with-timeout.ts'
import type { Connection } from './client.ts'

const initialRetryDelayMs = 100
const maxRetryDelayMs = 5_000
const unsubscribeTimeoutMs = 500

/**
 * Calls `onAppend` when the server reports a new event, and after every (re)connection. The library does not resume a
 * broken subscription: it is opened again with exponential back-off. Returns a function that ends it.
 */
export function subscribeToAppends({ client, credentials }: Connection, onAppend: () => void): () => Promise<void> {
  let current: ReturnType<typeof client.subscribeToAll> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let retryDelayMs = initialRetryDelayMs

  function open(): void {
    timer = undefined
    const subscription = client.subscribeToAll({ fromPosition: END, credentials })
    current = subscription
    const reopen = () => {
      if (stopped || timer || current !== subscription) return
      timer = setTimeout(open, retryDelayMs)
      timer.unref()
      retryDelayMs = Math.min(retryDelayMs * 2, maxRetryDelayMs)
    }
    subscription
      .on('error', reopen)
      .on('end', reopen)
      .on('close', reopen)
      .on('confirmation', () => {
        retryDelayMs = initialRetryDelayMs
        // Events may have been appended while there was no subscription.
        onAppend()
      })
      .on('data', ({ event }) => {
        if (event && !event.type.startsWith('$')) onAppend()
      })
  }

  open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    const unsubscribed = (current?.unsubscribe() ?? Promise.resolve()).catch(() => undefined)
    // An unavailable server never confirms.
    await withTimeout(unsubscribed, unsubscribeTimeoutMs, () => undefined)
  }
}
