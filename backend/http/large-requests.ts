import { ProblemError } from './problems.ts'
import { createLimiter, type Limiter } from './limiter.ts'

/** Each may hold 40 MB in memory, which all practices share. */
const maxInMemory = 16
/** Reading a file of 20 MB takes a core for seconds: more at once would only keep everybody else waiting. */
const maxProcessing = 2
const maxQueued = 200
/** Of one sender; somebody who presses a button twice is not turned away. */
const maxQueuedPerSender = 4

/** Takes a large request in and answers it, when it is its turn. `sender` is a practice or a person. */
export type LargeRequestLimiter = <Result>(
  sender: string,
  read: () => Promise<unknown>,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Lets large requests in one after the other of each sender, and a few of all, so that nobody can fill the memory or
 * take all the time of this process. What waits is not read yet. Throws 429 `one-at-a-time` and 503 `busy`.
 */
export function createLargeRequestLimiter(): LargeRequestLimiter {
  const reading = createLimiter(maxInMemory, maxQueued, serverBusy)
  const working = createLimiter(maxProcessing, maxInMemory, serverBusy)
  const senders = new Map<string, { inTurn: Limiter; requests: number }>()

  return async (sender, read, work) => {
    const own = senders.get(sender) ?? { inTurn: createLimiter(1, maxQueuedPerSender, tooManyUploads), requests: 0 }
    senders.set(sender, own)
    own.requests++
    try {
      return await own.inTurn(() =>
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

const retryHeaders = { 'Retry-After': '10' }

const tooManyUploads = () =>
  new ProblemError(429, 'one-at-a-time', 'Several files are on their way already. Please try again in a moment.', {
    headers: retryHeaders,
  })

const serverBusy = () =>
  new ProblemError(503, 'busy', 'Many files are being read right now. Please try again in a moment.', {
    headers: retryHeaders,
  })
