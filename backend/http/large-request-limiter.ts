import { ProblemError } from './problems.ts'
import { createLimiter, type Limiter } from './limiter.ts'

/** Requests in memory, up to 40 MB each, shared by all practices. */
const maxInMemory = 16
/** Requests being processed: parsing a 20 MB file occupies a core for seconds. */
const maxProcessing = 2
const maxQueued = 200
/** Queued requests per sender, so that a double click is not rejected. */
const maxQueuedPerSender = 4

/** Reads and handles a large request when its turn comes. `sender` is a practice or a user. */
export type LargeRequestLimiter = <Result>(
  sender: string,
  read: () => Promise<unknown>,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Creates a limiter for large requests: one at a time per sender and a few in total, so that no sender can exhaust memory or
 * processor time. Queued requests are not read yet. Throws 429 `one-at-a-time` and 503 `busy`.
 */
export function createLargeRequestLimiter(): LargeRequestLimiter {
  const reading = createLimiter(maxInMemory, maxQueued, serverBusy)
  const working = createLimiter(maxProcessing, maxInMemory, serverBusy)
  const senders = new Map<string, { limit: Limiter; requests: number }>()

  return async (sender, read, work) => {
    const own = senders.get(sender) ?? { limit: createLimiter(1, maxQueuedPerSender, tooManyUploads), requests: 0 }
    senders.set(sender, own)
    own.requests++
    try {
      return await own.limit(() =>
        reading(async () => {
          await read()
          return await working(work)
        }),
      )
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
