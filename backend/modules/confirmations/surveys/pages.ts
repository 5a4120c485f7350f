import type { Context } from 'koa'
import type Router from '@koa/router'
import { z } from 'zod'
import { confirmationPages } from '#contracts/confirmations.ts'
import { isAnswerable, maxComment, maxScore, SatisfactionScore } from '#contracts/values/satisfaction.ts'
import { type NoticePage, sendNoticePage } from '#http/notice-page.ts'
import { ProblemError } from '#http/problems.ts'
import { createFormReader, parseForm, unlessRefused } from '#http/plain-form.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { findSettings } from '../queries.ts'
import { confirmationSettings } from '../settings.ts'
import { chooseLanguage, textsByLanguage } from '../texts.ts'
import { type SurveyCommand, surveyDecider } from './decider.ts'
import { noteSurveyText } from './jobs.ts'
import { createSurveyLinks } from './links.ts'

/** Maximum size of a plain form in bytes: a comment in which every character takes twelve as a form has them. */
const maxFormBytes = 12 * maxComment + 1024

/** A form sends one of three: the score, the wish not to be asked, or a comment after the score. */
const AnswerForm = z.union(
  [
    z.strictObject({ answer: z.literal('stop') }),
    z.strictObject({ answer: z.coerce.number().pipe(SatisfactionScore) }),
    z.strictObject({ comment: z.string().trim().min(1).max(maxComment) }),
  ],
  { error: 'Please press a button' },
)

/** The best score comes first, as people read. */
const scores = Array.from({ length: maxScore }, (_, index) => maxScore - index)

/**
 * Adds the page behind the link of a survey. Opening it changes nothing, because programs that check mail open every link. It
 * shows no name, no provider and no type of appointment: others may have the link.
 */
export function addSurveyPage(router: Router, services: Services): void {
  const { bus, db, clock } = services
  const links = createSurveyLinks({ ...services, ...confirmationSettings.read(services) })
  const readForm = createFormReader(maxFormBytes)

  async function findSurvey(ctx: Context) {
    const surveyId = links.parseToken(ctx.params['token'] ?? '')
    const survey = surveyId && (await bus.load(surveyDecider, surveyId)).state
    const practice = survey?.exists ? await findPractice(db, survey.practiceId) : null
    if (!survey?.exists || !practice)
      throw new ProblemError(404, 'not-found', textsByLanguage[chooseLanguage(ctx, 'en')].invalidLink)
    const language = chooseLanguage(ctx, (await findSettings(db, survey.practiceId)).language)
    return { survey, practice, language, texts: textsByLanguage[language] }
  }

  async function sendSurveyPage(ctx: Context, { hasCommented = false } = {}): Promise<void> {
    const { survey, practice, language, texts } = await findSurvey(ctx)
    const send = (page: NoticePage) => sendNoticePage(ctx, { ...page, language })
    if (survey.score !== null)
      return send({
        title: texts.thanks,
        text: hasCommented ? texts.surveyCommented(practice.name) : texts.surveyAnswered(survey.score),
        ...(hasCommented
          ? {}
          : { field: { name: 'comment', label: texts.surveyMore, action: texts.surveySend, maxLength: maxComment } }),
      })
    if (survey.status === 'declined') return send({ title: texts.thanks, text: texts.surveyStopped(practice.name) })
    if (survey.status === 'withdrawn' || !isAnswerable(survey.dueAt, clock().toISOString()))
      return send({
        title: texts.isClosed,
        text: practice.phone === null ? '' : texts.questions(practice.name, practice.phone),
      })
    send({
      title: texts.surveyAsk(practice.name),
      text: texts.surveyPrivate,
      choices: [
        ...scores.map((score) => ({ label: texts.surveyScores[score - 1] ?? '', answer: String(score) })),
        { label: texts.surveyStop, answer: 'stop', quiet: true },
      ],
    })
  }

  router.get(confirmationPages.survey, (ctx) => sendSurveyPage(ctx))

  router.post(confirmationPages.survey, async (ctx) => {
    const form = parseForm(AnswerForm, await readForm(ctx))
    const { survey } = await findSurvey(ctx)
    const { practiceId, surveyId } = survey
    if ('comment' in form) {
      const { comment: text } = form
      // Words without an answer are not asked for.
      if (survey.score !== null)
        await runPageWrite(ctx, (context) =>
          noteSurveyText(services, survey, { key: 'comment', text }, { ...context, practiceId }),
        )
      return await sendSurveyPage(ctx, { hasCommented: survey.score !== null })
    }
    const { answer } = form
    const now = clock().toISOString()
    const command: SurveyCommand = answer === 'stop' ? { type: 'Decline', now } : { type: 'Answer', score: answer, now }
    await unlessRefused(
      runPageWrite(ctx, (context) => bus.execute(surveyDecider, surveyId, command, { ...context, practiceId })),
    )
    await sendSurveyPage(ctx)
  })
}
