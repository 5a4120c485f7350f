import type { IncomingMessage } from 'node:http'
import { ProblemError } from './problems.ts'
import { createLimiter, type Limiter } from './limiter.ts'

/** Bytes of all large bodies in memory, those that are still arriving included. Shared by all practices. */
const maxBytesInMemory = 640 * 1024 * 1024
/** Requests being processed: parsing a 20 MB file occupies a core for seconds. */
const maxProcessing = 2
const maxQueued = 200
/** Milliseconds in the common queue, which are part of the deadline of the request. */
const maxQueuedMs = 30_000
/** Queued requests per sender, so that a double click is not rejected. */
const maxQueuedPerSender = 4

/** Reads a large request, and handles it when its turn comes. `sender` is a practice or a user. */
export type LargeRequestLimiter = <Result>(
  sender: string,
  request: IncomingMessage,
  read: () => Promise<unknown>,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Creates a limiter for large requests: one is processed at a time per sender and a few in total, so that no sender can exhaust
 * memory or processor time. They are read side by side, and take their place in the queues when they are complete: one that
 * arrives slowly, or never, delays no other, and ends by its own time-out. Throws 429 `one-at-a-time` and 503 `busy`.
 */
export function createLargeRequestLimiter(maxBytes = maxBytesInMemory): LargeRequestLimiter {
  const process = createLimiter(maxProcessing, maxQueued, serverBusy, maxQueuedMs)
  const senders = new Map<string, { limit: Limiter; requests: number }>()
  let bytesInMemory = 0

  async function readAndProcess<Result>(
    own: Limiter,
    request: IncomingMessage,
    read: () => Promise<unknown>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    let ownBytes = 0
    const { promise: noMemory, reject } = Promise.withResolvers<never>()
    const onData = (chunk: Buffer) => {
      ownBytes += chunk.length
      bytesInMemory += chunk.length
      if (bytesInMemory <= maxBytes) return
      // The reader collects no more of it; what still arrives is dropped.
      request.removeAllListeners('data')
      reject(serverBusy())
    }
    try {
      const reading = read()
      request.on('data', onData)
      await Promise.race([reading, noMemory])
      return await own(() => process(work))
    } finally {
      request.off('data', onData)
      bytesInMemory -= ownBytes
    }
  }

  return async (sender, request, read, work) => {
    const own = senders.get(sender) ?? { limit: createLimiter(1, maxQueuedPerSender, tooManyUploads), requests: 0 }
    if (own.requests > maxQueuedPerSender) throw tooManyUploads()
    senders.set(sender, own)
    own.requests++
    try {
      return await readAndProcess(own.limit, request, read, work)
    } finally {
      if (--own.requests === 0) senders.delete(sender)
    }
  }
}

const headers = { 'Retry-After': '10' }

const tooManyUploads = () =>
  new ProblemError(429, 'one-at-a-time', 'Several files are already being uploaded. Please try again in a moment.', {
    headers,
  })

const serverBusy = () =>
  new ProblemError(503, 'busy', 'Many files are being processed right now. Please try again in a moment.', { headers })
