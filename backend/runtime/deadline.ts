/** The time by which a request is answered, shared by all of its steps. */
export type Deadline = {
  /** Milliseconds from its start to its end. */
  readonly limitMs: number
  getRemainingMs(): number
  /** Runs a function whose duration does not count: the client is still sending. */
  pause<Result>(run: () => Promise<Result>): Promise<Result>
}

/** Starts a deadline. */
export function startDeadline(limitMs: number): Deadline {
  let endsAt = performance.now() + limitMs
  return {
    limitMs,
    getRemainingMs: () => Math.max(0, endsAt - performance.now()),
    async pause(run) {
      const pausedAt = performance.now()
      try {
        return await run()
      } finally {
        endsAt += performance.now() - pausedAt
      }
    },
  }
}
