import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import { newsletterConfirmDays } from '#contracts/newsletter.ts'
import { NewsletterSubscriberId, NewsletterSubscriptionId, PracticeId, UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deleteOldDeliveries } from '#mail/announcements.ts'
import { loadEmailChange, loadRegistration } from '#modules/accounts/public.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { findPreviousNewsletterChoice } from '#modules/practices/public.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { createConfirmationMessage } from './confirmation-message.ts'
import { computeConfirmDeadline, newsletterDecider } from './decider.ts'
import { createNewsletterLinks } from './links.ts'
import { jobNames } from './process-manager.ts'
import { findUnconfirmedRequests } from './queries.ts'
import { deriveSubscriberId, requestNewsletter } from './request-newsletter.ts'
import { newsletterSettings } from './settings.ts'

/** Sends the message with which the owner of an address confirms the newsletter, unless a later request sends another one. */
export const sendConfirmation = defineJob({
  name: jobNames.sendConfirmation,
  data: z.strictObject({ subscriberId: NewsletterSubscriberId, sendAfter: z.iso.datetime() }),
  retry: mailRetry,
  async run(services, { subscriberId, sendAfter }, { id, signal }) {
    const { state } = await services.bus.load(newsletterDecider, subscriberId)
    // The address is null once it was erased.
    if (state.status !== 'pending' || state.sendAfter !== sendAfter || state.email === null) return
    const links = createNewsletterLinks({ ...services, ...newsletterSettings.read(services) })
    const until = computeConfirmDeadline(state)
    const message = createConfirmationMessage({
      key: id,
      to: state.email,
      confirmUrl: links.createConfirmUrl(state, until),
      leaveUrl: links.createLeaveUrl(subscriberId),
      until: new Date(until),
      date: new Date(sendAfter),
    })
    await deliverMail(services, message, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Erases an address that left the newsletter. */
export const eraseAddress = defineJob({
  name: jobNames.eraseAddress,
  data: z.strictObject({ subscriptionId: NewsletterSubscriptionId }),
  retry: followUpRetry,
  async run({ keyStore }, { subscriptionId }) {
    await keyStore.destroy(subscriptionId)
  },
})

/** Requests the newsletter for a user who chose it at registration. */
export const applyRegistration = defineJob({
  name: jobNames.applyRegistration,
  data: z.strictObject({ userId: UserId, cause: Cause }),
  retry: followUpRetry,
  async run(services, { userId, cause }, { id: idempotencyKey }) {
    const registration = await loadRegistration(services, userId)
    if (!registration) return
    const context = toContext(jobNames.applyRegistration, null, cause)
    const request = { email: registration.email, source: 'registration' } as const
    await requestNewsletter(services, request, context, { idempotencyKey })
  },
})

/**
 * Moves a subscription that an account requested to the user's present address, which confirms it as every address does. One
 * that was requested on the public form stays: the address there may be another person's.
 */
export const applyEmailChange = defineJob({
  name: jobNames.applyEmailChange,
  data: z.strictObject({ userId: UserId, requestId: z.uuid(), cause: Cause }),
  retry: followUpRetry,
  async run(services, { userId, requestId, cause }, { id: idempotencyKey }) {
    const { bus } = services
    const change = await loadEmailChange(services, userId, requestId)
    if (!change) return
    const former = deriveSubscriberId(services, change.from)
    const { state, history } = await bus.load(newsletterDecider, former)
    // An earlier attempt may have left it already.
    const wasLeftHere = history.at(-1)?.metadata.causationId === cause.causationId
    const isSubscribed = state.status === 'pending' || state.status === 'confirmed' || wasLeftHere
    if (!isSubscribed || state.status === 'none' || state.source === 'form') return
    const context = toContext(jobNames.applyEmailChange, null, cause)
    const leave = { type: 'Leave', reason: 'account' } as const
    await bus.execute(newsletterDecider, former, leave, context, { idempotencyKey: `${idempotencyKey} leave` })
    // The address may have changed again, and the job of that change may have found no subscription to move.
    const email = (await loadRegistration(services, userId))?.email ?? change.to
    await requestNewsletter(services, { email, source: state.source }, context, { idempotencyKey })
  },
})

/** Requests the newsletter for the owner of a practice who chose it in the set-up, or leaves it if that was unchosen there. */
export const applyPracticeSetup = defineJob({
  name: jobNames.applyPracticeSetup,
  data: z.strictObject({ practiceId: PracticeId, userId: UserId, newsletterOptIn: z.boolean(), cause: Cause }),
  retry: followUpRetry,
  async run(services, { practiceId, userId, newsletterOptIn, cause }, { id: idempotencyKey }) {
    const { bus, store } = services
    const registration = await loadRegistration(services, userId)
    if (!registration) return
    const { email } = registration
    const context = toContext(jobNames.applyPracticeSetup, practiceId, cause)
    if (newsletterOptIn)
      return await requestNewsletter(services, { email, source: 'practice-setup' }, context, { idempotencyKey })
    const previous = await findPreviousNewsletterChoice(store, practiceId, cause.causationId)
    // A user who never chose it here may have subscribed on the public form.
    if (!(previous ?? registration.newsletterOptIn)) return
    const command = { type: 'Leave', reason: 'account' } as const
    await bus.execute(newsletterDecider, deriveSubscriberId(services, email), command, context, { idempotencyKey })
  },
})

const toContext = (name: string, practiceId: PracticeId | null, cause: Cause): CommandContext => ({
  practiceId,
  actor: { kind: 'process', name },
  ...cause,
})

const pageSize = 500

/** Ends requests that were not confirmed in time, so that their addresses are erased, and deletes old announcements of mail. */
export const expireRequests = defineJob({
  name: 'expire-newsletter-requests',
  data: z.strictObject({}),
  schedule: '17 2 * * *',
  async run(services, _, { id, signal }) {
    const { bus, db, pool, clock } = services
    const now = clock()
    const context = { practiceId: null, actor: { kind: 'process', name: 'expire-newsletter-requests' } } as const
    for (;;) {
      signal.throwIfAborted()
      await waitForReadModels(services, ['NewsletterRequested'])
      const requests = await findUnconfirmedRequests(db, subDays(now, newsletterConfirmDays), pageSize)
      for (const { subscriberId, subscriptionId } of requests) {
        const command = { type: 'Expire', subscriptionId, at: now.toISOString() } as const
        await bus.execute(newsletterDecider, subscriberId, command, { ...context, correlationId: id })
      }
      if (requests.length < pageSize) break
    }
    await deleteOldDeliveries(pool, now)
  },
})
