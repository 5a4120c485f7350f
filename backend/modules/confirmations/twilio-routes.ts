import type Router from '@koa/router'
import type { Context } from 'koa'
import { z } from 'zod'
import { ConfirmationId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { ProblemError } from '#http/problems.ts'
import { createFormReader, parseForm } from '#http/plain-form.ts'
import { runPageWrite } from '#http/run-page-write.ts'
import { loadAppointment } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { noteIncomingMessage } from '#modules/patient-communications/public.ts'
import { findPractice } from '#modules/practices/public.ts'
import { answerConfirmation } from './answer.ts'
import { confirmationDecider } from './decider.ts'
import { type AskedByText, findAskedByText, findSettings } from './queries.ts'
import { readReply, type ReplyKind } from './replies.ts'
import type { TwilioCalls } from './settings.ts'
import { formatWhen, textsByLanguage } from './texts.ts'
import { recordTextWish } from './text-numbers.ts'

/** Maximum size of a call in bytes. The longest text has 1,600 characters. */
const maxBytes = 65_536

const StatusCall = z.object({ MessageStatus: z.string().max(50) })
const MessageCall = z.object({
  MessageSid: z.string().min(1).max(64),
  From: z.string().max(64),
  Body: z.string().max(20_000).default(''),
})

/** The statuses of a message that did not arrive. */
const notDelivered = new Set(['failed', 'undelivered'])

/**
 * Adds the calls of Twilio: the end of a message, and the texts of patients. Each is signed over its address and its fields; a
 * repeated call, and one that arrives out of order, changes nothing.
 */
export function addTwilioRoutes(router: Router, services: Services, calls: TwilioCalls): void {
  const readForm = createFormReader(maxBytes)

  async function readSigned(ctx: Context): Promise<unknown> {
    const fields = await readForm(ctx)
    // The SDK is large: it is loaded with the first call.
    const { default: sdk } = await import('twilio')
    const address = `${calls.address}${ctx.path}${ctx.search}`
    const signature = ctx.get('X-Twilio-Signature')
    if (signature === '' || !sdk.validateRequest(calls.authToken, signature, address, fields))
      throw new ProblemError(403, 'forbidden', 'The signature of this call is not valid.')
    ctx.set('Cache-Control', 'no-store')
    return fields
  }

  router.post('/api/twilio/status', async (ctx) => {
    const call = parseForm(StatusCall, await readSigned(ctx))
    const [, id = '', attempt = ''] = /^(.{36})-(\d{1,6})$/.exec(String(ctx.query['key'] ?? '')) ?? []
    const confirmationId = ConfirmationId.safeParse(id)
    ctx.status = 204
    if (!confirmationId.success || !notDelivered.has(call.MessageStatus)) return
    const { state } = await services.bus.load(confirmationDecider, confirmationId.data)
    if (!state.exists) return
    const command = { type: 'RecordFailure', attempt: Number(attempt), reason: 'refused' } as const
    await runPageWrite(ctx, (context) =>
      services.bus.execute(confirmationDecider, confirmationId.data, command, {
        ...context,
        practiceId: state.practiceId,
      }),
    )
    ctx.status = 204
  })

  router.post('/api/twilio/messages', async (ctx) => {
    const call = parseForm(MessageCall, await readSigned(ctx))
    const { MessageSid: vendorId, From: from, Body: text } = call
    const kind = readReply(text)
    const reply = await answerText(ctx, services, { vendorId, from, text, kind })
    const { default: sdk } = await import('twilio')
    const twiml = new sdk.twiml.MessagingResponse()
    if (reply !== null) twiml.message(reply)
    ctx.type = 'text/xml; charset=utf-8'
    ctx.body = twiml.toString()
  })
}

type Text = { vendorId: string; from: string; text: string; kind: ReplyKind }

/**
 * Carries out the answer of a patient. Returns the text that is sent back, which names neither patient nor provider; null for the
 * words that Twilio answers itself.
 */
async function answerText(
  ctx: Context,
  services: Services,
  { vendorId, from, text, kind }: Text,
): Promise<string | null> {
  if (kind === 'help') return null
  if (kind === 'stop' || kind === 'resume') {
    const wish = kind === 'stop' ? 'Stop' : 'Resume'
    await runPageWrite(ctx, (context) => recordTextWish(services, from, wish, context))
    return null
  }
  const asked = await findAskedByText(services.db, from, services.clock().toISOString())
  const areUpcoming = await Promise.all(asked.map((question) => isUpcoming(services, question)))
  const upcoming = asked.filter((_, index) => areUpcoming[index])
  // Words about an appointment that was cancelled are for its practice, too.
  const [one] = [...upcoming, ...asked]
  if (!one) return textsByLanguage.en.replyNone
  const texts = textsByLanguage[(await findSettings(services.db, one.practiceId)).language]
  if (kind === 'confirm' && upcoming.length > 1) return texts.replySeveral
  if (kind === 'confirm') return await confirm(ctx, services, one)
  await runPageWrite(ctx, (context) =>
    noteIncomingMessage(services, { ...one, key: vendorId, communicationType: 'sms', text }, context),
  )
  const practice = await findPractice(services.db, one.practiceId)
  return texts.replyLater(practice?.name ?? 'Everchart', practice?.phone ?? null)
}

/** Returns whether an appointment still takes place at the time that was asked about. */
async function isUpcoming({ bus }: Services, { practiceId, appointmentId, startsAt }: AskedByText): Promise<boolean> {
  const appointment = await loadAppointment(bus, practiceId, appointmentId)
  const isOpen = appointment?.status === 'scheduled' || appointment?.status === 'confirmed'
  return isOpen && Date.parse(appointment.slot.startsAt) === Date.parse(startsAt)
}

async function confirm(ctx: Context, services: Services, { id, practiceId, startsAt }: AskedByText): Promise<string> {
  const [practice, { language }, { state }] = await Promise.all([
    findPractice(services.db, practiceId),
    findSettings(services.db, practiceId),
    services.bus.load(confirmationDecider, id),
  ])
  const texts = textsByLanguage[language]
  if (!state.exists) return texts.replyClosed
  try {
    await runPageWrite(ctx, (context) => answerConfirmation(services, state, 'confirmed', context))
  } catch (error) {
    if (error instanceof CommandRejected) return texts.replyClosed
    throw error
  }
  const when = formatWhen(startsAt, practice?.timezone ?? 'UTC', language)
  return texts.replyConfirmed(practice?.name ?? 'Everchart', when)
}
