import { z } from 'zod'
import { NewsletterSubscriberId, NewsletterSubscriptionId } from '#contracts/values/ids.ts'
import { event, eventAbout, phi } from '#eventstore/event.ts'

const subscriberId = NewsletterSubscriberId
const subscriptionId = NewsletterSubscriptionId
const requested = eventAbout('subscriptionId')

/** The places where the newsletter is requested. */
export const NewsletterSource = z.enum(['form', 'registration', 'practice-setup'])
export type NewsletterSource = z.infer<typeof NewsletterSource>

/**
 * The newsletter for one e-mail address. The stream's name is derived from a keyed hash of it. The address itself is no
 * health information, but encrypted in the same way, so that it can be erased when its owner leaves.
 */
export const NewsletterEvent = z.discriminatedUnion('type', [
  /** Requested, for the first time or again before it was confirmed. The owner of the address has not confirmed it yet. */
  requested('NewsletterRequested', {
    subscriberId,
    subscriptionId,
    email: phi(z.string().min(1)),
    source: NewsletterSource,
    /** The instant (ISO, UTC) from which the confirmation may be sent: a day after the previous one. */
    sendAfter: z.iso.datetime(),
  }),
  event('NewsletterConfirmed', { subscriberId, subscriptionId }),
  /**
   * Ended by a link in a message, by the choice in the set-up of a practice, or because it was not confirmed in time. The
   * address is erased.
   */
  event('NewsletterLeft', { subscriberId, subscriptionId, reason: z.enum(['link', 'account', 'unconfirmed']) }),
])
export type NewsletterEvent = z.infer<typeof NewsletterEvent>
