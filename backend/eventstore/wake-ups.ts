import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { createNotifier, listenForNotifications } from '#database/listen-notify.ts'

const channel = 'es'

/** The listeners of `EventStore.onWake`. `close` stops listening to other instances. */
export type WakeUps = {
  onWake(listener: () => void): () => void
  /** Wakes the listeners of this instance at once, and those of the others soon. */
  notify(): void
  close(): Promise<void>
}

/**
 * Creates the wake-ups of an event store: hints that new events are available. Instances wake each other through the database
 * of `pool`, which they share, whichever store holds the events: a subscription on the server would deliver every event once
 * more. Without a pool, only the listeners of this instance are woken. Listeners are also woken after every (re)connection,
 * because hints may have been missed.
 */
export function createWakeUps(pool?: Pool): WakeUps {
  const listeners = new Set<() => void>()
  const notifyListeners = () => listeners.forEach((listener) => listener())
  const instanceId = randomUUID()
  const notifier = pool && createNotifier(pool, channel, instanceId)
  const stopListening =
    pool &&
    listenForNotifications(
      pool.options.connectionString ?? '',
      channel,
      (sender) => sender === instanceId || notifyListeners(),
    )

  return {
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      notifyListeners()
      notifier?.notify()
    },
    async close() {
      await notifier?.close()
      await stopListening?.()
    },
  }
}
