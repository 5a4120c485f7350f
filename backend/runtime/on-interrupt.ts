/** Ctrl-C arrives twice at once under npm: from the terminal and forwarded by npm. */
const duplicateSignalMs = 1_000

/**
 * Calls `onFirst` on the first Ctrl-C or termination signal. On another one, more than a second later, calls `onSecond` and
 * exits at once with code 130.
 */
export function onInterrupt(onFirst: () => void, onSecond: () => void = () => undefined): void {
  let firstSignalAt = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (firstSignalAt === 0) {
        firstSignalAt = Date.now()
        onFirst()
      } else if (Date.now() - firstSignalAt > duplicateSignalMs) {
        onSecond()
        process.exit(130)
      }
    })
}
