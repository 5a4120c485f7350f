import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'

const Customer = z.object({ email: z.string(), name: z.string(), patients: z.number() })

/** Who pays for a practice, what it is called, and how many patients it has. */
export const findCustomer = (db: CommonQueryMethods, practiceId: string): Promise<z.infer<typeof Customer>> =>
  db.one(sql.type(Customer)`
    select u.email, p.name, (select count(*)::int4 from read.patients c where c.practice_id = p.practice_id and not c.sample) as patients
    from read.practices p join read.users u on u.user_id = p.owner_id where p.practice_id = ${practiceId}`)

/** A subscription that runs or waits for its first payment, and whose it is. */
const ActiveSubscription = z.object({ practiceId: PracticeId, subscriptionId: z.string() })

export type ActiveSubscription = z.infer<typeof ActiveSubscription>

/** Every subscription that runs or waits for its first payment. */
export const findActiveSubscriptions = (db: CommonQueryMethods): Promise<readonly ActiveSubscription[]> =>
  db.any(sql.type(ActiveSubscription)`
    select practice_id as "practiceId", subscription_id as "subscriptionId" from read.subscriptions
    where status in ('incomplete', 'trialing', 'active', 'past_due')`)
