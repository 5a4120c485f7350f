import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { subscribeToNewsletter } from '#contracts/newsletter.ts'
import { NewsletterSubscriberId, NewsletterSubscriptionId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandOptions } from '#eventstore/command-bus.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { clientNetwork } from '#http/client-network.ts'
import { ProblemError } from '#http/problems.ts'
import { createRateLimiter, hourly, type Limit } from '#http/rate-limiter.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { newsletterDecider } from './decider.ts'
import type { NewsletterSource } from './events.ts'

/** Derives the id of an address, from which the address cannot be recovered. */
export const deriveSubscriberId = ({ keyedHash }: Pick<Services, 'keyedHash'>, email: string): NewsletterSubscriberId =>
  NewsletterSubscriberId.parse(deriveId(keyedHash('newsletter', normalizeEmail(email))))

type Request = { email: string; source: NewsletterSource }

/** Requests the newsletter for an address, unless its owner confirmed it before. */
export async function requestNewsletter(
  services: Pick<Services, 'bus' | 'clock' | 'newId' | 'keyedHash'>,
  { email, source }: Request,
  context: CommandContext,
  options: CommandOptions = {},
): Promise<void> {
  const { bus, clock, newId } = services
  const subscriberId = deriveSubscriberId(services, email)
  const subscriptionId = NewsletterSubscriptionId.parse(newId('newsletter subscription'))
  const at = clock().toISOString()
  const command = { type: 'Request', subscriberId, subscriptionId, email, source, at } as const
  // The reply shows no read model.
  await bus.execute(newsletterDecider, subscriberId, command, context, { ...options, consistency: 'eventual' })
}

/** Milliseconds that every reply takes at least: its time must not show whether an address is known. */
const minReplyMs = 250

type Visitor = { clientAddress: string; correlationId: string }
type Form = z.output<typeof subscribeToNewsletter.body>

/** Creates the function behind the public form. It throws 429 when a limit is reached, which does not depend on the address. */
export function createPublicForm(services: Services): (form: Form, visitor: Visitor) => Promise<void> {
  const { relaxedPool: pool, clock, keyedHash, quotas } = services
  const limiter = createRateLimiter({ pool, clock, keyedHash, createUnavailable })
  const perNetwork = createLimit('newsletter network', quotas.newsletterRequestsPerNetwork, ' from your network')
  const altogether = createLimit('newsletter', quotas.newsletterRequests, '')

  return async ({ email, website }, { clientAddress, correlationId }) => {
    await limiter.consume([
      { limit: perNetwork, value: clientNetwork(clientAddress) },
      { limit: altogether, value: '' },
    ])
    const context = { practiceId: null, actor: { kind: 'process', name: 'visitor' }, correlationId } as const
    // A program filled in the field that people do not see.
    const isRobot = Boolean(website)
    const requested = isRobot ? undefined : requestNewsletter(services, { email, source: 'form' }, context)
    await Promise.all([requested, sleep(minReplyMs)])
  }
}

const createLimit = (purpose: string, maxAttempts: number, where: string): Limit => ({
  purpose,
  maxAttempts,
  ...hourly,
  code: 'too-many-attempts',
  message: `Too many subscriptions${where}.`,
})

const createUnavailable = () =>
  new ProblemError(503, 'newsletter-unavailable', 'Subscribing is not possible right now. Please try again later.', {
    headers: { 'Retry-After': '60' },
  })
