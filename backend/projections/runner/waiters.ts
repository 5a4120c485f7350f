/** Callers that wait for a condition, which is checked again at every `notify`. */
export function createWaiters() {
  const checks = new Set<() => void>()
  return {
    notify: (): void => checks.forEach((check) => check()),
    /** Resolves when the condition holds, or after the time-out. `onWait` is called unless it holds already. */
    waitUntil: (condition: () => boolean, timeoutMs: number, onWait: () => void): Promise<void> =>
      new Promise<void>((resolve) => {
        if (condition()) return resolve()
        const timer = setTimeout(finish, timeoutMs)
        function check() {
          if (condition()) finish()
        }
        function finish() {
          clearTimeout(timer)
          checks.delete(check)
          resolve()
        }
        checks.add(check)
        onWait()
      }),
  }
}
