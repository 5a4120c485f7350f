import { PassThrough } from 'node:stream'

/** The answers of this process that do not end by themselves. */
export type StreamRegistry = {
  /** A new one for a person; null when they have too many. It is forgotten when it closes. */
  open(userId: string): PassThrough | null
  closeAll(): void
}

/** More than anybody has browsers; each holds a connection. */
const maxStreamsPerUser = 8

/** Keeps count of open streams, and ends them all when the process stops. */
export function createStreamRegistry(): StreamRegistry {
  const open = new Map<string, Set<PassThrough>>()
  let stopping = false
  return {
    open(userId) {
      const own = open.get(userId) ?? new Set()
      if (stopping || own.size >= maxStreamsPerUser) return null
      const stream = new PassThrough()
      open.set(userId, own.add(stream))
      stream.once('close', () => {
        own.delete(stream)
        if (own.size === 0) open.delete(userId)
      })
      return stream
    },
    closeAll() {
      stopping = true
      for (const own of open.values()) for (const stream of own) stream.end()
    },
  }
}
