import type { Logger } from 'pino'

type Step = { name: string; stop: (milliseconds: number) => Promise<void> | void; milliseconds: number }

/** What has been started, in its order, and how all of it ends. */
export type Lifecycle = {
  /** Aborted as soon as the end has been asked for; a start that is still under way then goes no further. */
  signal: AbortSignal
  /**
   * Registers how to end what has just been started. The steps run one after the other, the last registered first; each
   * is left behind after its time, in milliseconds.
   */
  onStop(name: string, milliseconds: number, stop: Step['stop']): void
  /** Waits for the start that is under way, then ends everything. Exits the process. */
  stop(exitCode: number): Promise<never>
}

type Options = {
  logger: Logger
  /** Ends at once what must not outlive us, for a second signal and for a stop that hangs. */
  force: () => void
}

/** Ten seconds are promised; a little is kept for leaving. */
const longest = 9_500

/**
 * The end of the process. The first SIGTERM or SIGINT ends it in order and with code 0, the second at once. `starting`
 * is the start itself, so that a signal in the middle of it finds everything registered that has to be ended.
 */
export function lifecycle({ logger, force }: Options, starting: () => Promise<unknown>): Lifecycle {
  const steps: Step[] = []
  const abort = new AbortController()

  async function run({ name, stop, milliseconds }: Step): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      logger.warn({ step: name, ms: milliseconds }, 'stopping takes too long, going on')
      late.resolve()
    }, milliseconds)
    try {
      await Promise.race([stop(milliseconds), late.promise])
    } catch (error) {
      logger.error({ err: error, step: name }, 'stopping failed, going on')
    } finally {
      clearTimeout(timer)
    }
  }

  async function stop(exitCode: number): Promise<never> {
    if (abort.signal.aborted) return await new Promise<never>(() => undefined)
    abort.abort()
    setTimeout(() => {
      force()
      process.exit(exitCode === 0 ? 1 : exitCode)
    }, longest).unref()
    await starting().catch(() => undefined)
    for (let step = steps.pop(); step; step = steps.pop()) await run(step)
    return process.exit(exitCode)
  }

  let asked = 0
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (asked > 0) {
        // Ctrl-C below npm arrives twice at the same moment: from the terminal, and handed on by npm.
        if (Date.now() - asked < 1000) return
        force()
        process.exit(130)
      }
      asked = Date.now()
      logger.info('Stopping: running requests are finished first')
      void stop(0)
    })
  }

  return {
    signal: abort.signal,
    onStop: (name, milliseconds, end) => void steps.push({ name, milliseconds, stop: end }),
    stop,
  }
}
