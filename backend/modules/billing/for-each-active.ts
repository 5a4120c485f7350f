import type { Services } from '#modules/module.ts'
import { findActiveSubscriptions, type ActiveSubscription } from './queries.ts'

/**
 * Does something for every subscription that runs or waits for its first payment. One that fails stands in nobody's way:
 * all others have their turn before it is thrown.
 */
export async function forEachActive(
  { db, logger }: Pick<Services, 'db' | 'logger'>,
  signal: AbortSignal,
  run: (one: ActiveSubscription) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const one of await findActiveSubscriptions(db)) {
    signal.throwIfAborted()
    await run(one).catch((err: unknown) => {
      logger.warn({ err, practiceId: one.practiceId }, 'a subscription could not be brought up to date')
      failures.push(err)
    })
  }
  if (failures.length > 0) throw failures[0]
}
