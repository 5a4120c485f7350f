import type { ConfirmationChannel, FailureReason, MessageLanguage } from '#contracts/values/confirmations.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { MailOutcomeUnknown, MailRefused } from '#mail/errors.ts'
import type { MailMessage } from '#mail/message.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { numberStopped, type TextMessage } from '#sms/sms.ts'
import { isKeptUntilMorning } from './keep-until-morning.ts'
import { type Contact, findSettings } from './queries.ts'
import { confirmationSettings } from './settings.ts'
import { hasStoppedTexts, recordTextWish } from './text-numbers.ts'

/** The frame of every message to a patient: by whom it is sent, in which language, and when. */
export type MessageFrame = {
  to: string
  practiceName: string
  practicePhone: string | null
  /** The practice's time zone, IANA. */
  zone: string
  language: MessageLanguage
  /** The practice's own words in its questions; null if there are none. */
  customMessage: string | null
  date: Date
}

/** Both forms of a message, of which one is sent. */
type Messages = { createText: () => TextMessage; createMail: () => MailMessage }

type Sending = {
  channel: ConfirmationChannel
  contact: Contact | null
  /** The job that sends the message, for the case that it is sent in the morning instead. */
  job: string
  data: { practiceId: PracticeId }
  context: CommandContext
  signal: AbortSignal
}

/** The command that records what became of a message. */
type SendResult = { type: 'RecordSent'; delivery: 'sent' | 'outbox' } | { type: 'RecordFailure'; reason: FailureReason }

/**
 * Sends a message to a patient by day. Returns the command that records it, null when it is sent in the morning, and `stopped` when it would
 * be a text message and the number does not want any. Throws MailError for a server that may be tried again.
 */
export async function sendToPatient(
  services: Services,
  { channel, contact, job, data, context, signal }: Sending,
  compose: (frame: MessageFrame) => Messages,
): Promise<SendResult | 'stopped' | null> {
  const to = channel === 'sms' ? contact?.phone : contact?.email
  if (!to) return { type: 'RecordFailure', reason: 'no-address' }
  if (await isKeptUntilMorning(services, job, data)) return null
  if (channel === 'sms' && (await hasStoppedTexts(services, to))) return 'stopped'
  await confirmationSettings.read(services).pace.wait(signal)
  try {
    const messages = compose(await findFrame(services, data.practiceId, to))
    return { type: 'RecordSent', delivery: await deliver(services, channel, messages, signal) }
  } catch (error) {
    if (error instanceof MailRefused && error.code === numberStopped) {
      await recordTextWish(services, to, 'Stop', context)
      return 'stopped'
    }
    if (error instanceof MailRefused) return { type: 'RecordFailure', reason: 'refused' }
    if (error instanceof MailOutcomeUnknown) return { type: 'RecordFailure', reason: 'outcome-unknown' }
    throw error
  }
}

async function findFrame({ db, clock }: Services, practiceId: PracticeId, to: string): Promise<MessageFrame> {
  const [practice, { customMessage, language }] = await Promise.all([
    findPractice(db, practiceId),
    findSettings(db, practiceId),
  ])
  return {
    to,
    practiceName: practice?.name ?? 'Your practice',
    practicePhone: practice?.phone ?? null,
    zone: practice?.timezone ?? 'UTC',
    language,
    customMessage,
    date: clock(),
  }
}

/** Returns whether a message was sent or stored in the outbox. Throws MailError. */
async function deliver(
  { mail, sms }: Services,
  channel: ConfirmationChannel,
  { createText, createMail }: Messages,
  signal: AbortSignal,
): Promise<'sent' | 'outbox'> {
  if (channel === 'sms') {
    await sms.deliver(createText())
    return sms.kind === 'outbox' ? 'outbox' : 'sent'
  }
  await mail.deliver(createMail(), signal)
  return mail.kind === 'outbox' ? 'outbox' : 'sent'
}
