import type { Context } from 'koa'
import type Router from '@koa/router'
import ical, { ICalCalendarMethod } from 'ical-generator'
import { z } from 'zod'
import { confirmationPages } from '#contracts/confirmations.ts'
import type { MessageLanguage } from '#contracts/values/confirmations.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { type NoticeChoice, sendNoticePage } from '#http/notice-page.ts'
import { ProblemError } from '#http/problems.ts'
import { createFormReader, parseForm } from '#http/plain-form.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import { isOtherTimeFree, loadAppointment, moveForPatient, offerOtherTimes } from '#modules/appointments/public.ts'
import { addMinutes } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { answerConfirmation } from './answer.ts'
import { confirmationDecider } from './decider.ts'
import { createConfirmationLinks } from './links.ts'
import { findSettings } from './queries.ts'
import { confirmationSettings } from './settings.ts'
import { chooseLanguage, formatWhen, textsByLanguage } from './texts.ts'

/** Maximum size of a plain form in bytes. */
const maxFormBytes = 1024

/** The answers that the buttons of a page send; an instant is another time that was offered. */
const AnswerForm = z.strictObject({
  answer: z.union([z.enum(['confirm', 'other', 'decline']), z.iso.datetime()], { error: 'Please press a button' }),
})

/** A confirmation whose appointment is still to come, with what its page shows. */
type Open = Awaited<ReturnType<ReturnType<typeof createFindOpen>>>

/**
 * Adds the pages behind the links in messages to patients. Opening one changes nothing, because programs that check mail open
 * every link; its buttons do. They show no name, no provider and no type: others may have the link.
 */
export function addConfirmationPages(router: Router, services: Services): void {
  const findOpen = createFindOpen(services)
  const readForm = createFormReader(maxFormBytes)

  router.get(confirmationPages.answer, async (ctx) => sendQuestion(ctx, await findOpen(ctx)))

  router.get(confirmationPages.calendar, async (ctx) => {
    const { practice, confirmation, duration, language, texts } = await findOpen(ctx)
    const calendar = ical({
      prodId: { company: 'Everchart', product: 'Appointments', language: language.toUpperCase() },
    })
    calendar.method(ICalCalendarMethod.PUBLISH)
    calendar.createEvent({
      id: `${confirmation.appointmentId}@everchart`,
      start: new Date(confirmation.startsAt),
      end: new Date(addMinutes(confirmation.startsAt, duration)),
      stamp: services.clock(),
      summary: texts.appointmentAt(practice.name),
      ...(practice.address ? { location: practice.address } : {}),
    })
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'text/calendar; charset=utf-8'
    ctx.body = calendar.toString()
  })

  router.post(confirmationPages.answer, async (ctx) => {
    const form = parseForm(AnswerForm, await readForm(ctx))
    const { answer } = form
    const open = await findOpen(ctx)
    if (answer === 'other') return await sendOtherTimes(ctx, services, open)
    if (answer === 'confirm' || answer === 'decline') {
      await runPageWrite(ctx, (context) =>
        answerConfirmation(services, open.confirmation, answer === 'confirm' ? 'confirmed' : 'declined', context),
      ).catch((error: unknown) => toClosed(error, open))
      return sendQuestion(ctx, await findOpen(ctx))
    }
    await move(ctx, services, open, answer)
  })
}

/** Returns the function that finds an open confirmation by its link. Throws 404 and 410. */
function createFindOpen(services: Services) {
  const { bus, db, clock } = services
  const links = createConfirmationLinks({ ...services, ...confirmationSettings.read(services) })
  return async (ctx: Context) => {
    const token = ctx.params['token'] ?? ''
    const confirmationId = links.parseToken(token)
    const loaded = confirmationId && (await bus.load(confirmationDecider, confirmationId)).state
    if (!loaded?.exists) throw invalidLink(chooseLanguage(ctx, 'en'))
    const { practiceId, appointmentId, reservationId } = loaded
    const [appointment, practice, settings] = await Promise.all([
      loadAppointment(bus, practiceId, appointmentId),
      findPractice(db, practiceId),
      findSettings(db, practiceId),
    ])
    const language = chooseLanguage(ctx, settings.language)
    const texts = textsByLanguage[language]
    if (!appointment || !practice) throw invalidLink(language)
    if (appointment.slot.startsAt <= clock().toISOString()) throw closed(texts.hasBegun)
    if (appointment.slot.reservationId !== reservationId) throw closed(texts.wasMoved)
    if (appointment.status === 'cancelled' && loaded.status !== 'declined') throw closed(texts.wasCancelled)
    return {
      confirmation: loaded,
      appointment,
      practice,
      settings,
      duration: appointment.slot.duration,
      token,
      language,
      texts,
    }
  }
}

const describe = ({ practice, language }: Open, startsAt: string) =>
  `${formatWhen(startsAt, practice.timezone, language)}, ${practice.name}`

/** Shows the question, or the answer that was given. */
function sendQuestion(ctx: Context, open: Open): void {
  const { confirmation, settings, practice, token, texts, language } = open
  const text = `${describe(open, confirmation.startsAt)}.`
  const decline: NoticeChoice = { label: texts.decline, answer: 'decline', quiet: true }
  const other: NoticeChoice = { label: texts.other, answer: 'other', quiet: true }
  const link = { label: texts.toCalendar, path: confirmationPages.calendar.replace(':token', token) }
  if (confirmation.status === 'declined') {
    const call = practice.phone ? texts.callToBook(practice.phone) : ''
    sendNoticePage(ctx, { title: texts.cancelled, text: `${text}${call}`, language })
  } else if (confirmation.status === 'confirmed') {
    sendNoticePage(ctx, { title: texts.confirmed, text, choices: [decline], link, language })
  } else {
    const confirm: NoticeChoice = { label: texts.confirm, answer: 'confirm' }
    const choices = settings.autoReschedule ? [confirm, other, decline] : [confirm, decline]
    sendNoticePage(ctx, { title: texts.question, text, choices, link, language })
  }
}

/** Offers the next free times for ten minutes, where the practice lets patients choose one. */
async function sendOtherTimes(ctx: Context, services: Services, open: Open, notice = ''): Promise<void> {
  const { confirmation, appointment, practice, settings, texts, language } = open
  if (!settings.autoReschedule || isAnswered(open)) return sendQuestion(ctx, open)
  const slots = await offerOtherTimes(services, appointment)
  const text = slots.length === 0 ? texts.noFreeTime(practice.phone) : texts.now(describe(open, confirmation.startsAt))
  sendNoticePage(ctx, {
    title: texts.chooseOther,
    text: `${notice}${text}`,
    choices: [
      ...slots.map(({ start }) => ({ label: formatWhen(start, practice.timezone, language), answer: start })),
      { label: texts.noneSuits, answer: 'decline', quiet: true },
    ],
    language,
  })
}

/** Moves the appointment to a time that was offered and is still free; otherwise offers other ones. */
async function move(ctx: Context, services: Services, open: Open, startsAt: string): Promise<void> {
  const { confirmation, appointment, settings, texts, language } = open
  if (!settings.autoReschedule || isAnswered(open)) return sendQuestion(ctx, open)
  if (!(await isOtherTimeFree(services, appointment, startsAt)))
    return await sendOtherTimes(ctx, services, open, texts.wasTaken)
  try {
    await runPageWrite(ctx, (context) =>
      moveForPatient(services, confirmation, startsAt, {
        ...context,
        practiceId: confirmation.practiceId as PracticeId,
      }),
    )
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
    return await sendOtherTimes(ctx, services, open, texts.wasTaken)
  }
  sendNoticePage(ctx, { title: texts.moved, text: `${describe(open, startsAt)}.`, language })
}

const isAnswered = ({ confirmation }: Open) => ['confirmed', 'declined'].includes(confirmation.status)

const toClosed = (error: unknown, { texts }: Open): never => {
  throw error instanceof CommandRejected ? closed(texts.isClosed) : error
}

const invalidLink = (language: MessageLanguage) =>
  new ProblemError(404, 'not-found', textsByLanguage[language].invalidLink)

const closed = (message: string) => new ProblemError(410, 'link-expired', message)
