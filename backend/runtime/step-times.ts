import { AsyncLocalStorage } from 'node:async_hooks'

/** Steps of a request. None has the name of a field that the logger strikes out, such as `password`. */
type Step = 'connection' | 'event store' | 'append' | 'read models' | 'catch-up' | 'argon2'

/** Milliseconds by step of one request; a step that runs several times is added up. */
export type StepTimes = Map<Step, number>

const current = new AsyncLocalStorage<StepTimes>()

/** Runs a function and adds the times of its steps to a map. */
export const collectStepTimes = <Result>(times: StepTimes, run: () => Result): Result => current.run(times, run)

/** Runs a step of the request in progress and records how long it took, so that the log can say what was slow. */
export async function timeStep<Result>(name: Step, run: () => Promise<Result>): Promise<Result> {
  const times = current.getStore()
  if (!times) return await run()
  const began = performance.now()
  try {
    return await run()
  } finally {
    times.set(name, (times.get(name) ?? 0) + performance.now() - began)
  }
}
