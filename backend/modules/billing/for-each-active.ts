import type { Services } from '#modules/module.ts'
import { findActiveSubscriptions, type ActiveSubscription } from './queries.ts'

/**
 * Runs a function for every subscription that is running or awaits its first payment, and whose id begins with a prefix. A failure does not stop the others;
 * the first one is thrown at the end.
 */
export async function forEachActive(
  { db, logger }: Pick<Services, 'db' | 'logger'>,
  signal: AbortSignal,
  run: (subscription: ActiveSubscription) => Promise<unknown>,
  idPrefix = '',
): Promise<void> {
  const failures: unknown[] = []
  for (const subscription of await findActiveSubscriptions(db, idPrefix)) {
    signal.throwIfAborted()
    await run(subscription).catch((err: unknown) => {
      logger.warn({ err, practiceId: subscription.practiceId }, 'subscription could not be reconciled')
      failures.push(err)
    })
  }
  if (failures.length > 0) throw failures[0]
}
