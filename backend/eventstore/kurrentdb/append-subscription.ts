import { END } from '@eventstore/db-client'
import { withTimeout } from '#runtime/with-timeout.ts'
import type { Connection } from './client.ts'

const initialRetryDelayMs = 100
const maxRetryDelayMs = 5_000
const unsubscribeTimeoutMs = 500

/**
 * Calls whenever the store says that there is news. The library never takes up a broken subscription again: it is
 * opened anew, with growing pauses. Returns how to stop.
 */
export function subscribeToAppends({ client, credentials }: Connection, wake: () => void): () => Promise<void> {
  let current: ReturnType<typeof client.subscribeToAll> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let pause = initialRetryDelayMs

  function open(): void {
    timer = undefined
    const subscription = client.subscribeToAll({ fromPosition: END, credentials })
    current = subscription
    const again = () => {
      if (stopped || timer || current !== subscription) return
      timer = setTimeout(open, pause)
      timer.unref()
      pause = Math.min(pause * 2, maxRetryDelayMs)
    }
    subscription
      .on('error', again)
      .on('end', again)
      .on('close', again)
      .on('confirmation', () => {
        pause = initialRetryDelayMs
        // What was written while nobody listened.
        wake()
      })
      .on('data', ({ event }) => {
        if (event && !event.type.startsWith('$')) wake()
      })
  }

  open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    const goodbye = (current?.unsubscribe() ?? Promise.resolve()).catch(() => undefined)
    // While the store is away there is nobody to say goodbye to.
    await withTimeout(goodbye, unsubscribeTimeoutMs, () => undefined)
  }
}
