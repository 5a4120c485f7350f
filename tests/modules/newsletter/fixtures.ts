import { NewsletterSubscriberId, NewsletterSubscriptionId } from '#contracts/values/ids.ts'
import type { NewsletterEvent } from '#modules/newsletter/events.ts'

export const subscriberId = NewsletterSubscriberId.parse('5f0c8f0a-2b0e-5c54-9d2e-1f7f0a6f9e01')
export const subscriptionId = NewsletterSubscriptionId.parse('6d1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c01')
export const laterSubscriptionId = NewsletterSubscriptionId.parse('6d1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c02')
export const email = 'reader@example.test'

/** Returns an instant of November 2026 in UTC. */
export const at = (day: number, time = '08:00:00.000'): string => `2026-11-${String(day).padStart(2, '0')}T${time}Z`

type Requested = Extract<NewsletterEvent, { type: 'NewsletterRequested' }>

export const requested = (sendAfter = at(20), over: Partial<Requested['data']> = {}): Requested => ({
  type: 'NewsletterRequested',
  data: { subscriberId, subscriptionId, email, source: 'form', sendAfter, ...over },
})

export const confirmed: NewsletterEvent = { type: 'NewsletterConfirmed', data: { subscriberId, subscriptionId } }

export const left = (reason: 'link' | 'account' | 'unconfirmed' = 'link'): NewsletterEvent => ({
  type: 'NewsletterLeft',
  data: { subscriberId, subscriptionId, reason },
})
