/** Input by which a user shows that they are present. */
const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

/** A request within this time after input is taken for its consequence; a later one, such as a refetch, is not. */
const consequenceMs = 10_000
/** Interval at which input without any other request is reported to the server, which stores no finer times. */
const reportIntervalMs = 60_000

/** The presence of the user in all windows of this browser, as far as this window knows. */
export type UserActivity = {
  /** Epoch milliseconds of the last input. */
  lastInputAt: number
  /** Epoch milliseconds of the last request that followed from input. */
  lastReportAt: number
}

let current: UserActivity | undefined

/** Returns whether a request sent now has no user behind it. Without tracking, as before sign-in, every request has one. */
export const isBackgroundRequest = (activity = current, now = Date.now()): boolean =>
  activity !== undefined && now - activity.lastInputAt > consequenceMs

/** Notes that a request with a user behind it is sent, which keeps the session alive. */
export function noteReport(now = Date.now()): void {
  if (current) current.lastReportAt = now
}

/**
 * Tracks input in this window until the returned function is called. `onInput` is called for every input; `isDue` is whether
 * the server should be notified, because no request has done that for a while. Input while `isPaused` does not count. `since` is when the
 * user was there before, in epoch milliseconds.
 */
export function trackUserActivity(
  onInput: (isDue: boolean) => void,
  isPaused: () => boolean,
  since = Date.now(),
): { activity: UserActivity; stop(): void } {
  const activity: UserActivity = { lastInputAt: since, lastReportAt: since }
  current = activity
  const handle = ({ isTrusted }: Event) => {
    if (!isTrusted || isPaused()) return
    activity.lastInputAt = Date.now()
    onInput(activity.lastInputAt - activity.lastReportAt > reportIntervalMs)
  }
  for (const name of inputEvents) addEventListener(name, handle, { capture: true, passive: true })
  return {
    activity,
    stop() {
      for (const name of inputEvents) removeEventListener(name, handle, { capture: true })
      if (current === activity) current = undefined
    },
  }
}
