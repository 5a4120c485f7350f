import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { createNotifier, listenForNotifications } from '#database/listen-notify.ts'
import type { AppendOptions } from './event-store.ts'

const channel = 'es'

/** Milliseconds within which the next append of a request most likely follows one that is not waited for. */
const soonMs = 10

/** The listeners of `EventStore.onWake`. `close` stops listening to other instances. */
export type WakeUps = {
  onWake(listener: () => void): () => void
  /**
   * Wakes the listeners of this instance at once, and those of the others soon, after an append with these options; when it is not
   * waited for, with the next one that is, and ten milliseconds later at the latest.
   */
  notify(options?: Pick<AppendOptions, 'isWaitedFor'>): void
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

  let timer: NodeJS.Timeout | undefined

  function notifyAll(): void {
    clearTimeout(timer)
    timer = undefined
    notifyListeners()
    notifier?.notify()
  }

  return {
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify({ isWaitedFor = true } = {}) {
      if (isWaitedFor) notifyAll()
      else timer ??= setTimeout(notifyAll, soonMs)
    },
    async close() {
      clearTimeout(timer)
      await notifier?.close()
      await stopListening?.()
    },
  }
}
