import { z } from 'zod'
import { EmailAddress } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** The path of the pages to which links in newsletter messages lead. They need no session and no script. */
export const newsletterPages = {
  thanks: '/newsletter/thanks',
  confirm: '/newsletter/confirm/:token',
  leave: '/newsletter/leave/:token',
} as const

/** Days for which the link that confirms a subscription works. */
export const newsletterConfirmDays = 7

/**
 * Requests the newsletter for an e-mail address: a message with a link is sent there, and only the button behind it
 * subscribes. The reply is the same for every address; at most one such message a day is sent to an address. 429
 * `too-many-attempts` for too many requests from one network, or altogether. Also accepts a plain form
 * (`application/x-www-form-urlencoded`), which is answered with pages: 303 to `/newsletter/thanks`.
 */
export const subscribeToNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter/subscribe',
  access: 'public',
  body: z.strictObject({
    email: EmailAddress,
    /** A field that people do not see and leave empty. With content, nothing is sent, and the reply is the same. */
    website: z.string().max(1_000).optional(),
  }),
  /** `outbox`: this installation has no mail server, and stores messages for its operator. */
  reply: z.object({ delivery: z.enum(['mail', 'outbox']) }),
  status: 202,
})
