import type { Logger } from 'pino'

/** The steps that end the parts of an application, in the reverse order of their start. */
export type StopSteps = {
  add(step: () => Promise<unknown>): void
  /** Ends all parts; one that cannot be ended does not keep the others. May be called twice. */
  stop(): Promise<void>
}

/** Creates an empty list of steps. */
export function createStopSteps(logger: Logger): StopSteps {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (step) => void steps.push(step),
    async stop() {
      for (const step of steps.splice(0).toReversed())
        await step().catch((err: unknown) => logger.warn({ err }, 'shutdown step failed'))
    },
  }
}
