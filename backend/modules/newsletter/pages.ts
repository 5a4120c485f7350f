import type Router from '@koa/router'
import { newsletterPages } from '#contracts/newsletter.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { ProblemError } from '#http/problems.ts'
import { sendNoticePage } from '#http/notice-page.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import type { Services } from '#modules/module.ts'
import { newsletterDecider } from './decider.ts'
import { createNewsletterLinks } from './links.ts'
import { newsletterSettings } from './settings.ts'

/**
 * Adds the pages behind the links in newsletter messages. Opening one changes nothing, because mail scanners open every link;
 * its button does. Programs of mail providers send the same request to leave with one click (RFC 8058).
 */
export function addNewsletterPages(router: Router, services: Services): void {
  const { bus, clock, mail } = services
  const { address } = newsletterSettings.read(services)
  const links = createNewsletterLinks({ ...services, address })

  /** Returns what a link confirms. Throws 404 for one that was not sent from here, and 410 for an expired one. */
  function parseConfirmToken(token = '') {
    const parsed = links.parseConfirmToken(token)
    if (!parsed) throw invalidLink()
    if (parsed.expiresAt < clock()) throw linkExpired()
    return parsed
  }

  function parseLeaveToken(token = '') {
    const subscriberId = links.parseLeaveToken(token)
    if (!subscriberId) throw invalidLink()
    return subscriberId
  }

  router.get(newsletterPages.thanks, (ctx) => {
    sendNoticePage(ctx, {
      title: 'Successfully subscribed!',
      text:
        mail.kind === 'smtp'
          ? 'One more step: we sent you a message. Open the link in it to confirm your address.'
          : 'Mail is not configured on this installation: the confirmation is in its outbox.',
    })
  })

  router.get(newsletterPages.confirm, (ctx) => {
    parseConfirmToken(ctx.params['token'])
    sendNoticePage(ctx, {
      title: 'Confirm your subscription',
      text: 'Press the button to receive our healthcare insights newsletter, once a month.',
      action: 'Subscribe',
    })
  })

  router.post(newsletterPages.confirm, async (ctx) => {
    const { subscriberId, subscriptionId } = parseConfirmToken(ctx.params['token'])
    const command = { type: 'Confirm', subscriptionId } as const
    await runPageWrite(ctx, (context) => bus.execute(newsletterDecider, subscriberId, command, context)).catch(
      (error: unknown) => {
        throw error instanceof CommandRejected ? linkExpired() : error
      },
    )
    sendNoticePage(ctx, {
      title: 'You are subscribed',
      text: "You'll receive our healthcare insights newsletter monthly. A link in every message ends it.",
    })
  })

  router.get(newsletterPages.leave, (ctx) => {
    parseLeaveToken(ctx.params['token'])
    sendNoticePage(ctx, {
      title: 'Leave the newsletter',
      text: 'Press the button to receive no more newsletters. Your address will be erased.',
      action: 'Unsubscribe',
    })
  })

  router.post(newsletterPages.leave, async (ctx) => {
    const subscriberId = parseLeaveToken(ctx.params['token'])
    const command = { type: 'Leave', reason: 'link' } as const
    await runPageWrite(ctx, (context) => bus.execute(newsletterDecider, subscriberId, command, context))
    sendNoticePage(ctx, {
      title: 'You are unsubscribed',
      text: 'You will receive no more newsletters, and your address is erased.',
    })
  })
}

const invalidLink = () =>
  new ProblemError(404, 'not-found', 'This link is not valid. Please check that you opened all of it.')

const linkExpired = () =>
  new ProblemError(410, 'link-expired', 'This link no longer works. Please subscribe again to get a new one.')
