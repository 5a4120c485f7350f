import type { Context } from 'koa'
import { bodyParser } from '@koa/bodyparser'
import type Router from '@koa/router'
import ical, { ICalCalendarMethod } from 'ical-generator'
import { z } from 'zod'
import { confirmationPages } from '#contracts/confirmations.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import { readWithTimeout } from '#http/body-timeout.ts'
import { type NoticeChoice, sendNoticePage } from '#http/notice-page.ts'
import { invalidRequestFromZod, ProblemError } from '#http/problems.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import { findOtherTimes, loadAppointment, moveForPatient } from '#modules/appointments/public.ts'
import { addMinutes } from '#modules/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { answerConfirmation } from './answer.ts'
import { confirmationDecider } from './decider.ts'
import { createConfirmationLinks } from './links.ts'
import { formatWhen } from './message.ts'
import { findSettings } from './queries.ts'
import { confirmationSettings } from './settings.ts'

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
  const readForm = bodyParser({
    enableTypes: ['form'],
    formLimit: maxFormBytes,
    encoding: 'utf-8',
    onError: () => {
      throw new ProblemError(400, 'invalid-form', 'The form cannot be read.')
    },
  })

  router.get(confirmationPages.answer, async (ctx) => sendQuestion(ctx, await findOpen(ctx.params['token'])))

  router.get(confirmationPages.calendar, async (ctx) => {
    const { practice, confirmation, duration } = await findOpen(ctx.params['token'])
    const calendar = ical({ prodId: { company: 'Everchart', product: 'Appointments', language: 'EN' } })
    calendar.method(ICalCalendarMethod.PUBLISH)
    calendar.createEvent({
      id: `${confirmation.appointmentId}@everchart`,
      start: new Date(confirmation.startsAt),
      end: new Date(addMinutes(confirmation.startsAt, duration)),
      stamp: services.clock(),
      summary: `Appointment at ${practice.name}`,
      ...(practice.address ? { location: practice.address } : {}),
    })
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'text/calendar; charset=utf-8'
    ctx.body = calendar.toString()
  })

  router.post(confirmationPages.answer, async (ctx) => {
    await readWithTimeout(ctx, () => readForm(ctx, async () => undefined))
    const form = AnswerForm.safeParse(ctx.request.body)
    if (!form.success) throw invalidRequestFromZod(form.error.issues)
    const { answer } = form.data
    const open = await findOpen(ctx.params['token'])
    if (answer === 'other') return await sendOtherTimes(ctx, services, open)
    if (answer === 'confirm' || answer === 'decline') {
      await runPageWrite(ctx, (context) =>
        answerConfirmation(services, open.confirmation, answer === 'confirm' ? 'confirmed' : 'declined', context),
      ).catch(toClosed)
      return sendQuestion(ctx, await findOpen(ctx.params['token']))
    }
    await move(ctx, services, open, answer)
  })
}

/** Returns the function that finds an open confirmation by its link. Throws 404 and 410. */
function createFindOpen(services: Services) {
  const { bus, db, clock } = services
  const links = createConfirmationLinks({ ...services, ...confirmationSettings.read(services) })
  return async (token = '') => {
    const confirmationId = links.parseToken(token)
    const loaded = confirmationId && (await bus.load(confirmationDecider, confirmationId)).state
    if (!loaded?.exists) throw invalidLink()
    const { practiceId, appointmentId, reservationId } = loaded
    const [appointment, practice, settings] = await Promise.all([
      loadAppointment(bus, practiceId, appointmentId),
      findPractice(db, practiceId),
      findSettings(db, practiceId),
    ])
    if (!appointment || !practice) throw invalidLink()
    if (appointment.slot.startsAt <= clock().toISOString()) throw closed('This appointment has begun or is over.')
    if (appointment.slot.reservationId !== reservationId)
      throw closed('This appointment was moved. Please use the link in the latest message.')
    if (appointment.status === 'cancelled' && loaded.status !== 'declined')
      throw closed('This appointment was cancelled.')
    return { confirmation: loaded, appointment, practice, settings, duration: appointment.slot.duration, token }
  }
}

const describe = ({ practice }: Open, startsAt: string) =>
  `${formatWhen(startsAt, practice.timezone)}, ${practice.name}`

/** Shows the question, or the answer that was given. */
function sendQuestion(ctx: Context, open: Open): void {
  const { confirmation, settings, practice, token } = open
  const text = `${describe(open, confirmation.startsAt)}.`
  const decline: NoticeChoice = { label: 'I cannot come', answer: 'decline', quiet: true }
  const other: NoticeChoice = { label: 'Choose another time', answer: 'other', quiet: true }
  const link = { label: 'Add to calendar', path: confirmationPages.calendar.replace(':token', token) }
  if (confirmation.status === 'declined') {
    const call = practice.phone ? ` To book another one, call ${practice.phone}.` : ''
    sendNoticePage(ctx, { title: 'Your appointment is cancelled', text: `${text}${call}` })
  } else if (confirmation.status === 'confirmed') {
    sendNoticePage(ctx, { title: 'Your appointment is confirmed', text, choices: [decline], link })
  } else {
    const confirm: NoticeChoice = { label: 'Confirm', answer: 'confirm' }
    const choices = settings.autoReschedule ? [confirm, other, decline] : [confirm, decline]
    sendNoticePage(ctx, { title: 'Will you come to your appointment?', text, choices, link })
  }
}

/** Offers the next free times, where the practice lets patients choose one. */
async function sendOtherTimes(ctx: Context, services: Services, open: Open, notice = ''): Promise<void> {
  const { confirmation, appointment, practice, settings } = open
  if (!settings.autoReschedule || isAnswered(open)) return sendQuestion(ctx, open)
  const slots = await findOtherTimes(services, appointment, services.clock().toISOString())
  const call = practice.phone ? ` or call ${practice.phone}` : ''
  sendNoticePage(ctx, {
    title: 'Choose another time',
    text: `${notice}${slots.length === 0 ? `There is no free time in the next weeks. Please decline${call}.` : `Now: ${describe(open, confirmation.startsAt)}.`}`,
    choices: [
      ...slots.map(({ start }) => ({ label: formatWhen(start, practice.timezone), answer: start })),
      { label: 'None of these: I cannot come', answer: 'decline', quiet: true },
    ],
  })
}

/** Moves the appointment to a time that is offered at this moment; otherwise offers other ones. */
async function move(ctx: Context, services: Services, open: Open, startsAt: string): Promise<void> {
  const { confirmation, appointment, settings } = open
  const isOffered = async () =>
    (await findOtherTimes(services, appointment, services.clock().toISOString())).some(
      ({ start }) => start === startsAt,
    )
  const taken = 'This time was taken in the meantime. '
  if (!settings.autoReschedule || isAnswered(open)) return sendQuestion(ctx, open)
  if (!(await isOffered())) return await sendOtherTimes(ctx, services, open, taken)
  try {
    await runPageWrite(ctx, (context) =>
      moveForPatient(services, confirmation, startsAt, {
        ...context,
        practiceId: confirmation.practiceId as PracticeId,
      }),
    )
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
    return await sendOtherTimes(ctx, services, open, taken)
  }
  sendNoticePage(ctx, { title: 'Your appointment was moved', text: `${describe(open, startsAt)}.` })
}

const isAnswered = ({ confirmation }: Open) => ['confirmed', 'declined'].includes(confirmation.status)

const toClosed = (error: unknown): never => {
  throw error instanceof CommandRejected ? closed('This question is not open any more.') : error
}

const invalidLink = () =>
  new ProblemError(404, 'not-found', 'This link is not valid. Please check that you opened all of it.')

const closed = (message: string) => new ProblemError(410, 'link-expired', message)
