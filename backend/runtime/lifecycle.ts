import type { Logger } from 'pino'
import { withTimeout } from './with-timeout.ts'

/** The order in which everything ends: nobody loses what they still need. */
const phases = ['requests', 'jobs and read models', 'database', 'data folder'] as const
type Phase = (typeof phases)[number]

type Step = { phase: Phase; timeoutMs: number; stop: (milliseconds: number) => unknown }

/** What has been started, and how all of it ends. */
export type Lifecycle = {
  /** Aborted as soon as the end has been asked for; a start that is still under way then goes no further. */
  signal: AbortSignal
  /** Registers how to end what has just been started; it is left behind after its time. */
  onStop(phase: Phase, milliseconds: number, stop: Step['stop']): void
  /** Ends everything in order, then the process. */
  stop(exitCode: number): Promise<void>
}

type Options = {
  logger: Logger
  /** The start itself: a signal in the middle of it waits until it has given up. */
  waitForStart: () => Promise<unknown>
  /** Ends at once what must not outlive us: for a second signal, and for a stop that hangs. */
  killNow: () => void
}

/** Ten seconds are promised; a little is kept for leaving. */
const maxStopMs = 9_500
/** Ctrl-C below npm arrives twice at the same moment: from the terminal, and handed on by npm. */
const duplicateSignalMs = 1_000

/** The end of the process: the first SIGTERM, SIGINT or SIGHUP ends it in order with code 0, the second at once. */
export function createLifecycle({ logger, waitForStart: starting, killNow: force }: Options): Lifecycle {
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

  async function run({ phase, stop: end, timeoutMs: milliseconds }: Step): Promise<void> {
    try {
      await withTimeout(Promise.resolve(end(milliseconds)), milliseconds, () =>
        logger.warn({ phase, milliseconds }, 'stopping takes too long, going on'),
      )
    } catch (error) {
      logger.error({ err: error, phase }, 'stopping failed, going on')
    }
  }

  async function stop(exitCode: number): Promise<void> {
    if (abort.signal.aborted) return
    abort.abort()
    setTimeout(() => {
      logger.error('stopping took too long')
      force()
      process.exit(1)
    }, maxStopMs).unref()
    await runAll()
    // What a start in the middle has still brought up when it was told to give up.
    await starting().catch(() => undefined)
    await runAll()
    process.exit(exitCode)
  }

  let asked = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (asked === 0) {
        asked = Date.now()
        logger.info('Stopping: running requests are finished first')
        void stop(0)
      } else if (Date.now() - asked > duplicateSignalMs) {
        force()
        process.exit(130)
      }
    })
  }

  return {
    signal: abort.signal,
    stop,
    onStop: (phase, milliseconds, end) => void steps.push({ phase, timeoutMs: milliseconds, stop: end }),
  }
}
