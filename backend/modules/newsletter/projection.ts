import type { NewsletterSubscriberId } from '#contracts/values/ids.ts'
import { defineProjection } from '#projections/projection.ts'
import type { NewsletterEvent } from './events.ts'

/** The row of an address. */
export type SubscriberRow = {
  subscriber_id: NewsletterSubscriberId
  subscription_id: string
  email: string
  send_after: string
  confirmed_at: string | null
}

/** One row per address that requested the newsletter and has not left it. */
export const newsletterSubscribers = defineProjection<NewsletterEvent, SubscriberRow>({
  name: 'newsletter_subscribers',
  version: 1,
  columns: {
    subscriber_id: 'uuid',
    subscription_id: 'uuid',
    email: 'text',
    send_after: 'timestamptz',
    confirmed_at: 'timestamptz',
  },
  key: 'subscriber_id',
  sealed: { subject: 'subscription_id', columns: ['email'] },
  indexes: ['(send_after) where confirmed_at is null', '(confirmed_at, subscriber_id)'],
  rowOf: ({ data }) => data.subscriberId,
  on: {
    NewsletterRequested: (_, { data }) => ({
      subscriber_id: data.subscriberId,
      subscription_id: data.subscriptionId,
      email: data.email,
      send_after: data.sendAfter,
      confirmed_at: null,
    }),
    NewsletterConfirmed: (row, { metadata }) => row && { ...row, confirmed_at: metadata.at },
    NewsletterLeft: () => null,
  },
})
