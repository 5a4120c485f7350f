import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { findUserEmail } from '#modules/accounts/public.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'

/** The customer that the payment provider bills: the practice's name and the e-mail address of its owner. */
export type Customer = { email: string; name: string }

/** Returns the billing contact of a practice. Throws when the practice or its owner does not exist. */
export async function findCustomer(db: CommonQueryMethods, practiceId: string): Promise<Customer> {
  const practice = await findPracticeProfile(db, practiceId)
  const email = practice && (await findUserEmail(db, practice.ownerId))
  if (!practice || email === null) throw new Error('The practice or its owner does not exist')
  return { email, name: practice.name }
}

const ActiveSubscription = z.object({ practiceId: PracticeId, subscriptionId: z.string() })

export type ActiveSubscription = z.infer<typeof ActiveSubscription>

/** Returns every subscription that is running or awaits its first payment, and whose id begins so. */
export const findActiveSubscriptions = (
  db: CommonQueryMethods,
  idPrefix = '',
): Promise<readonly ActiveSubscription[]> =>
  db.any(sql.type(ActiveSubscription)`
    select practice_id as "practiceId", subscription_id as "subscriptionId" from read.subscriptions
    where status in ('incomplete', 'trialing', 'active', 'past_due') and starts_with(subscription_id, ${idPrefix})`)
