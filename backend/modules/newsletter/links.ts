import { newsletterPages } from '#contracts/newsletter.ts'
import { NewsletterSubscriberId, NewsletterSubscriptionId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

/** The links in newsletter messages. Their tokens are signed, name no address, and mean one thing each. */
export type NewsletterLinks = {
  /** Returns the link that confirms a subscription until an instant (ISO, UTC). */
  createConfirmUrl(subscription: Subscription, until: string): string
  /** Returns the link that leaves the newsletter. It never expires: old messages must work, too. */
  createLeaveUrl(subscriberId: NewsletterSubscriberId): string
  /** Returns what a link confirms; null for a token that was not signed here. */
  parseConfirmToken(token: string): (Subscription & { expiresAt: Date }) | null
  parseLeaveToken(token: string): NewsletterSubscriberId | null
}

type Subscription = { subscriberId: NewsletterSubscriberId; subscriptionId: NewsletterSubscriptionId }

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

export function createNewsletterLinks({ keyedHash, address }: Dependencies): NewsletterLinks {
  const confirmTokens = createSignedTokens(keyedHash, 'newsletter confirm')
  const leaveTokens = createSignedTokens(keyedHash, 'newsletter leave')
  const toUrl = (path: string, token: string) => address + path.replace(':token', token)
  return {
    createConfirmUrl({ subscriberId, subscriptionId }, until) {
      const token = confirmTokens.create(subscriberId, subscriptionId, Date.parse(until).toString(36))
      return toUrl(newsletterPages.confirm, token)
    },
    createLeaveUrl: (subscriberId) => toUrl(newsletterPages.leave, leaveTokens.create(subscriberId)),
    parseConfirmToken(token) {
      const fields = confirmTokens.parse(token)
      if (!fields) return null
      const [subscriberId, subscriptionId, expiresAt = ''] = fields
      return {
        subscriberId: NewsletterSubscriberId.parse(subscriberId),
        subscriptionId: NewsletterSubscriptionId.parse(subscriptionId),
        expiresAt: new Date(Number.parseInt(expiresAt, 36)),
      }
    },
    parseLeaveToken(token) {
      const fields = leaveTokens.parse(token)
      return fields && NewsletterSubscriberId.parse(fields[0])
    },
  }
}
