import type { Services } from '#modules/module.ts'
import { findRunning, type Running } from './queries.ts'

/**
 * Does something for every subscription that runs or waits for its first payment. One that fails stands in nobody's way:
 * all others have their turn before it is thrown.
 */
export async function eachRunning(
  { db, logger }: Pick<Services, 'db' | 'logger'>,
  signal: AbortSignal,
  run: (one: Running) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const one of await findRunning(db)) {
    signal.throwIfAborted()
    await run(one).catch((err: unknown) => {
      logger.warn({ err, practiceId: one.practiceId }, 'a subscription could not be brought up to date')
      failures.push(err)
    })
  }
  if (failures.length > 0) throw failures[0]
}
