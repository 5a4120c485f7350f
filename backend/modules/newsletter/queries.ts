import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { NewsletterSubscriberId, NewsletterSubscriptionId } from '#contracts/values/ids.ts'

const Request = z.object({ subscriberId: NewsletterSubscriberId, subscriptionId: NewsletterSubscriptionId })

/** Finds at most `limit` requests that are not confirmed and whose confirmation was due at an instant or before, oldest first. */
export const findUnconfirmedRequests = (
  db: CommonQueryMethods,
  dueUntil: Date,
  limit: number,
): Promise<readonly z.infer<typeof Request>[]> =>
  db.any(sql.type(Request)`
    select subscriber_id as "subscriberId", subscription_id as "subscriptionId" from read.newsletter_subscribers
    where confirmed_at is null and send_after <= ${dueUntil.toISOString()} order by send_after limit ${limit}`)
