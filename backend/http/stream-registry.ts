import { PassThrough } from 'node:stream'
import type { StreamLimits } from './write-quotas.ts'

/** The person and the practice that a stream counts for. */
export type StreamOwner = { userId: string; practiceId: string; isDemo: boolean }

/** The open event streams of this process. */
export type StreamRegistry = {
  /**
   * Opens a stream; null if the user, the practice, or all demo practices have too many. `verify` checks whether its owner may
   * still read it, and ends it otherwise.
   */
  open(owner: StreamOwner, limits: StreamLimits, verify: () => void): PassThrough | null
  /** Verifies the streams of a user at once; without one, all streams. */
  verify(userId?: string): void
  closeAll(): void
}

/** Enough for all browsers of one user; each stream holds a connection. */
const maxStreamsPerUser = 8

type OpenStream = { owner: StreamOwner; stream: PassThrough; verify: () => void }

/** Creates the registry, which limits open streams and closes all of them when the process stops. */
export function createStreamRegistry(): StreamRegistry {
  const open = new Set<OpenStream>()
  let isStopping = false
  const count = (matches: (owner: StreamOwner) => boolean) => [...open].filter(({ owner }) => matches(owner)).length
  return {
    open(owner, limits, verify) {
      const { userId, practiceId, isDemo } = owner
      if (
        isStopping ||
        count((other) => other.userId === userId) >= maxStreamsPerUser ||
        count((other) => other.practiceId === practiceId) >= limits.practice ||
        (isDemo && count((other) => other.isDemo) >= limits.demoPractices)
      )
        return null
      const entry = { owner, stream: new PassThrough(), verify }
      open.add(entry)
      entry.stream.once('close', () => open.delete(entry))
      return entry.stream
    },
    verify(userId) {
      for (const { owner, verify } of open) if (userId === undefined || owner.userId === userId) verify()
    },
    closeAll() {
      isStopping = true
      for (const { stream } of open) stream.end()
    },
  }
}
