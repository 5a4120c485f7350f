import type { Logger } from 'pino'
import { onInterrupt } from './on-interrupt.ts'
import { withTimeout } from './with-timeout.ts'

/** The order in which components stop, so that each one's dependencies are still available. */
const phases = ['requests', 'jobs and read models', 'database', 'data folder'] as const
type Phase = (typeof phases)[number]

type Step = { phase: Phase; timeoutMs: number; stop: (timeoutMs: number) => unknown }

/** The started components and their ordered shutdown. */
export type Lifecycle = {
  /** Aborted as soon as a stop is requested; a start in progress is then abandoned. */
  signal: AbortSignal
  /** Registers how to stop a component that has just been started; after its time-out the shutdown continues without it. */
  onStop(phase: Phase, timeoutMs: number, stop: Step['stop']): void
  /** Stops everything in order, then exits. */
  stop(exitCode: number): Promise<void>
}

type Options = {
  logger: Logger
  /** Resolves when the start has ended; a stop during the start waits for it. */
  waitForStart: () => Promise<unknown>
  /** Kills the child processes: on a second signal, and when the stop hangs. */
  killNow: () => void
}

/** A stop takes at most ten seconds; the rest is reserved for exiting. */
const maxStopMs = 9_500

/** Creates the lifecycle: the first SIGTERM, SIGINT or SIGHUP stops in order with exit code 0, the second exits at once. */
export function createLifecycle({ logger, waitForStart, killNow }: Options): Lifecycle {
  const steps: Step[] = []
  const abort = new AbortController()

  async function runAll(): Promise<void> {
    for (const phase of phases) {
      const due = steps.filter((step) => step.phase === phase)
      for (const step of due) {
        steps.splice(steps.indexOf(step), 1)
        await run(step)
      }
    }
  }

  async function run({ phase, stop, timeoutMs }: Step): Promise<void> {
    try {
      await withTimeout(Promise.resolve(stop(timeoutMs)), timeoutMs, () =>
        logger.warn({ phase, timeoutMs }, 'shutdown step timed out, continuing'),
      )
    } catch (error) {
      logger.error({ err: error, phase }, 'shutdown step failed, continuing')
    }
  }

  async function stop(exitCode: number): Promise<void> {
    if (abort.signal.aborted) return
    abort.abort()
    setTimeout(() => {
      logger.error('shutdown timed out')
      killNow()
      process.exit(1)
    }, maxStopMs).unref()
    await runAll()
    // The start may have created further components before it noticed the stop.
    await waitForStart().catch(() => undefined)
    await runAll()
    process.exit(exitCode)
  }

  onInterrupt(() => {
    logger.info('stopping: finishing running requests first')
    void stop(0)
  }, killNow)

  return {
    signal: abort.signal,
    stop,
    onStop: (phase, timeoutMs, stopStep) => void steps.push({ phase, timeoutMs, stop: stopStep }),
  }
}
