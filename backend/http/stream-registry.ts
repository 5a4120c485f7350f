import { PassThrough } from 'node:stream'

/** The open event streams of this process. */
export type StreamRegistry = {
  /** Opens a stream for a user; null if the user has too many. */
  open(userId: string): PassThrough | null
  closeAll(): void
}

/** Enough for all browsers of one user; each stream holds a connection. */
const maxStreamsPerUser = 8

/** Creates the registry, which limits open streams per user and closes all of them when the process stops. */
export function createStreamRegistry(): StreamRegistry {
  const open = new Map<string, Set<PassThrough>>()
  let isStopping = false
  return {
    open(userId) {
      const own = open.get(userId) ?? new Set()
      if (isStopping || own.size >= maxStreamsPerUser) return null
      const stream = new PassThrough()
      open.set(userId, own.add(stream))
      stream.once('close', () => {
        own.delete(stream)
        if (own.size === 0) open.delete(userId)
      })
      return stream
    },
    closeAll() {
      isStopping = true
      for (const own of open.values()) for (const stream of own) stream.end()
    },
  }
}
