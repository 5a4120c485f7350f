/**
 * Creates the sleep of a loop that polls a store. A wake-up ends it; one that comes before it, since the last `reset`, lets it end at
 * once, so that none is lost while the loop works.
 */
export function createWakeableSleep() {
  let isWoken = false
  let endSleep: (() => void) | undefined
  return {
    /** Forgets the wake-ups so far: the work that begins covers them. */
    reset(): void {
      isWoken = false
    },
    wakeUp(): void {
      isWoken = true
      endSleep?.()
    },
    /** Sleeps for this many milliseconds, or until it is woken. */
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        if (isWoken) return resolve()
        const timer = setTimeout(end, ms)
        endSleep = end
        function end() {
          clearTimeout(timer)
          endSleep = undefined
          resolve()
        }
      }),
  }
}
