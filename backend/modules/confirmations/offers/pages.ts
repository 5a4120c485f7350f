import type { Context } from 'koa'
import type Router from '@koa/router'
import { z } from 'zod'
import { confirmationPages } from '#contracts/confirmations.ts'
import { sendNoticePage } from '#http/notice-page.ts'
import { ProblemError } from '#http/problems.ts'
import { createFormReader, parseForm, unlessRefused } from '#http/plain-form.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { findSettings } from '../queries.ts'
import { confirmationSettings } from '../settings.ts'
import { chooseLanguage, formatWhen, textsByLanguage } from '../texts.ts'
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
  const readForm = createFormReader(maxFormBytes)

  async function findOffer(ctx: Context) {
    const slotOfferId = links.parseToken(ctx.params['token'] ?? '')
    const offer = slotOfferId && (await bus.load(slotOfferDecider, slotOfferId)).state
    const practice = offer?.exists ? await findPractice(db, offer.practiceId) : null
    if (!offer?.exists || !practice)
      throw new ProblemError(404, 'not-found', textsByLanguage[chooseLanguage(ctx, 'en')].invalidLink)
    const language = chooseLanguage(ctx, (await findSettings(db, offer.practiceId)).language)
    const texts = textsByLanguage[language]
    const format = (at: string) => formatWhen(at, practice.timezone, language)
    return { offer, practice, language, texts, format }
  }

  async function sendOffer(ctx: Context): Promise<void> {
    const { offer, practice, language, texts, format } = await findOffer(ctx)
    const when = `${format(offer.startsAt)}, ${practice.name}.`
    if (offer.status === 'accepted') return sendNoticePage(ctx, { title: texts.booked, text: when, language })
    if (offer.status === 'declined')
      return sendNoticePage(ctx, { title: texts.thanks, text: texts.offeredOn, language })
    if (!isOpenOffer(offer) || (await findEnd(services, offer)) !== null)
      return sendNoticePage(ctx, { title: texts.notFree, text: texts.stayOnWaitlist(practice.phone), language })
    sendNoticePage(ctx, {
      title: texts.offerQuestion,
      text: `${when} ${texts.openUntil(format(offer.expiresAt))}`,
      choices: [
        { label: texts.take, answer: 'accept' },
        { label: texts.noThanks, answer: 'decline', quiet: true },
      ],
      language,
    })
  }

  router.get(confirmationPages.offer, (ctx) => sendOffer(ctx))

  router.post(confirmationPages.offer, async (ctx) => {
    const form = parseForm(AnswerForm, await readForm(ctx))
    const { offer } = await findOffer(ctx)
    const mayAnswer = isOpenOffer(offer) && (await findEnd(services, offer)) === null
    if (form.answer === 'accept' && mayAnswer)
      await runPageWrite(ctx, (context) => acceptOffer(services, offer, context))
    if (form.answer === 'decline' && isOpenOffer(offer))
      await unlessRefused(
        runPageWrite(ctx, (context) =>
          bus.execute(
            slotOfferDecider,
            offer.slotOfferId,
            { type: 'Decline' },
            { ...context, practiceId: offer.practiceId },
          ),
        ),
      )
    await sendOffer(ctx)
  })
}
