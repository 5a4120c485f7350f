import type { Logger } from 'pino'

/** Pauses the workers of one instance while the database or the event store is unavailable. */
export type OutageGuard = {
  /** Returns whether an outage explains a failed attempt. If so, the workers pause until it is over. */
  isOutage(): Promise<boolean>
  isPaused(): boolean
  stop(): void
}

type Dependencies = {
  /** Returns whether the database and the event store respond. Never rejects. */
  isAvailable: () => Promise<boolean>
  pauseWorkers: () => Promise<void>
  resumeWorkers: () => Promise<void>
  logger: Logger
  checkIntervalMs: number
}

/**
 * Creates the guard. Attempts that fail during an outage must not count: after 12 of them, within a quarter of an hour, every
 * waiting job would be a dead letter.
 */
export function createOutageGuard({ isAvailable, logger, ...dependencies }: Dependencies): OutageGuard {
  let isPaused = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function pause(): void {
    if (isPaused || isStopped) return
    isPaused = true
    logger.warn('job queues paused: the database or the event store is unavailable')
    void dependencies.pauseWorkers().then(scheduleCheck, scheduleCheck)
  }

  function scheduleCheck(): void {
    if (isStopped) return
    timer = setTimeout(() => void resumeWhenAvailable(), dependencies.checkIntervalMs)
    timer.unref()
  }

  async function resumeWhenAvailable(): Promise<void> {
    if (!(await isAvailable())) return scheduleCheck()
    if (isStopped) return
    isPaused = false
    logger.info('job queues resumed')
    await dependencies.resumeWorkers().catch(pause)
  }

  return {
    async isOutage() {
      if (isStopped) return false
      if (!isPaused && (await isAvailable())) return false
      pause()
      return true
    },
    isPaused: () => isPaused,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
