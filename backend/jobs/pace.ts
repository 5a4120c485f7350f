import { setTimeout as sleep } from 'node:timers/promises'

/** Limits how often something happens in one process. */
export type Pace = {
  /** Waits for the turn of the caller: in the order of the calls. Rejects when `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void>
}

type Timing = {
  /** Milliseconds since any moment. */
  now: () => number
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const realTiming: Timing = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
}

/** Creates a pace of at most `perMinute` turns a minute, at equal distances. */
export function createPace(perMinute: number, { now, pause }: Timing = realTiming): Pace {
  const distance = 60_000 / perMinute
  let next = 0
  return {
    async wait(signal) {
      const turn = Math.max(now(), next)
      next = turn + distance
      const rest = turn - now()
      if (rest > 0) await pause(rest, signal)
      signal.throwIfAborted()
    },
  }
}
