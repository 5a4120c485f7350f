import type { Context } from 'koa'
import { bodyParser } from '@koa/bodyparser'
import type Router from '@koa/router'
import { z } from 'zod'
import { confirmationPages } from '#contracts/confirmations.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import { readWithTimeout } from '#http/body-timeout.ts'
import { sendNoticePage } from '#http/notice-page.ts'
import { invalidRequestFromZod, ProblemError } from '#http/problems.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { formatWhen } from '../message.ts'
import { confirmationSettings } from '../settings.ts'
import { acceptOffer } from './accept-offer.ts'
import { isOpenOffer, slotOfferDecider } from './decider.ts'
import { findEnd } from './jobs.ts'
import { createOfferLinks } from './links.ts'

/** Maximum size of a plain form in bytes. */
const maxFormBytes = 1024

const AnswerForm = z.strictObject({
  answer: z.enum(['accept', 'decline'], { error: 'Please press a button' }),
})

/**
 * Adds the page behind the link of an offer. Opening it changes nothing, because programs that check mail open every link; its
 * buttons do. It shows no name, no provider and no type: others may have the link.
 */
export function addOfferPage(router: Router, services: Services): void {
  const { bus, db } = services
  const links = createOfferLinks({ ...services, ...confirmationSettings.read(services) })
  const readForm = bodyParser({
    enableTypes: ['form'],
    formLimit: maxFormBytes,
    encoding: 'utf-8',
    onError: () => {
      throw new ProblemError(400, 'invalid-form', 'The form cannot be read.')
    },
  })

  async function findOffer(token = '') {
    const slotOfferId = links.parseToken(token)
    const offer = slotOfferId && (await bus.load(slotOfferDecider, slotOfferId)).state
    const practice = offer?.exists ? await findPractice(db, offer.practiceId) : null
    if (!offer?.exists || !practice)
      throw new ProblemError(404, 'not-found', 'This link is not valid. Please check that you opened all of it.')
    return { offer, practice, when: `${formatWhen(offer.startsAt, practice.timezone)}, ${practice.name}` }
  }

  type Found = Awaited<ReturnType<typeof findOffer>>

  async function sendOffer(ctx: Context, { offer, practice, when }: Found): Promise<void> {
    const call = practice.phone ? ` Please call ${practice.phone} about other times.` : ''
    if (offer.status === 'accepted')
      return sendNoticePage(ctx, { title: 'Your appointment is booked', text: `${when}.` })
    if (offer.status === 'declined')
      return sendNoticePage(ctx, {
        title: 'Thank you for your answer',
        text: 'The time is offered to another patient. You stay on the waitlist.',
      })
    if (!isOpenOffer(offer) || (await findEnd(services, offer)) !== null)
      return sendNoticePage(ctx, {
        title: 'This time is not free any more',
        text: `You stay on the waitlist as before.${call}`,
      })
    sendNoticePage(ctx, {
      title: 'Would you like to come at this time?',
      text: `${when}. The offer is open until ${formatWhen(offer.expiresAt, practice.timezone)}.`,
      choices: [
        { label: 'Take this time', answer: 'accept' },
        { label: 'No, thank you', answer: 'decline', quiet: true },
      ],
    })
  }

  router.get(confirmationPages.offer, async (ctx) => sendOffer(ctx, await findOffer(ctx.params['token'])))

  router.post(confirmationPages.offer, async (ctx) => {
    await readWithTimeout(ctx, () => readForm(ctx, async () => undefined))
    const form = AnswerForm.safeParse(ctx.request.body)
    if (!form.success) throw invalidRequestFromZod(form.error.issues)
    const found = await findOffer(ctx.params['token'])
    const { offer } = found
    const mayAnswer = isOpenOffer(offer) && (await findEnd(services, offer)) === null
    if (form.data.answer === 'accept' && mayAnswer)
      await runPageWrite(ctx, (context) => acceptOffer(services, offer, context))
    if (form.data.answer === 'decline' && isOpenOffer(offer))
      await runPageWrite(ctx, (context) =>
        bus.execute(
          slotOfferDecider,
          offer.slotOfferId,
          { type: 'Decline' },
          { ...context, practiceId: offer.practiceId },
        ),
      ).catch((error: unknown) => {
        // It ended at this moment: the page says so.
        if (!(error instanceof CommandRejected)) throw error
      })
    await sendOffer(ctx, await findOffer(ctx.params['token']))
  })
}
