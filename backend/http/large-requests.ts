import { ProblemError } from './problems.ts'
import { turnstile, type Turnstile } from './limiter.ts'

/** Each may hold 40 MB in memory, which all practices share. */
const mostAtOnce = 16
/** Reading a file of 20 MB takes a core for seconds: more at once would only keep everybody else waiting. */
const mostWorkedOn = 2
const mostWaiting = 200
/** Of one sender; somebody who presses a button twice is not turned away. */
const mostWaitingOfOne = 4

/** Takes a large request in and answers it, when it is its turn. `sender` is a practice or a person. */
export type LargeRequests = <Result>(
  sender: string,
  read: () => Promise<unknown>,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Lets large requests in one after the other of each sender, and a few of all, so that nobody can fill the memory or
 * take all the time of this process. What waits is not read yet. Throws 429 `one-at-a-time` and 503 `busy`.
 */
export function largeRequests(): LargeRequests {
  const reading = turnstile(mostAtOnce, mostWaiting, busy)
  const working = turnstile(mostWorkedOn, mostAtOnce, busy)
  const senders = new Map<string, { inTurn: Turnstile; requests: number }>()

  return async (sender, read, work) => {
    const own = senders.get(sender) ?? { inTurn: turnstile(1, mostWaitingOfOne, oneAtATime), requests: 0 }
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

const headers = { 'Retry-After': '10' }

const oneAtATime = () =>
  new ProblemError(429, 'one-at-a-time', 'Several files are on their way already. Please try again in a moment.', {
    headers,
  })

const busy = () =>
  new ProblemError(503, 'busy', 'Many files are being read right now. Please try again in a moment.', { headers })
