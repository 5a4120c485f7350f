import { composeText } from '#contracts/values/confirmations.ts'
import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { renderHtml } from '#mail/message-parts.ts'
import type { TextMessage } from '#sms/sms.ts'

/** All that a message to a patient says. It names neither the patient nor the type of the appointment. */
export type Question = {
  key: string
  to: string
  practiceName: string
  /** The practice's telephone number, for patients who prefer to call. */
  practicePhone: string | null
  /** The start of the appointment, ISO, and the practice's time zone (IANA). */
  startsAt: string
  zone: string
  customMessage: string | null
  link: string
  /** True where an answer to a text message is received. */
  canReply: boolean
  date: Date
}

/** Returns the day and time of an appointment as its patient reads them, in the practice's time zone. */
export const formatWhen = (startsAt: string, zone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' }).format(new Date(startsAt))

/** Returns the text message that asks a patient. */
export const createTextMessage = ({ key, to, date, startsAt, zone, ...question }: Question): TextMessage => ({
  key,
  to,
  date,
  text: composeText({ ...question, when: formatWhen(startsAt, zone) }),
})

/** Returns the email that asks a patient. */
export function createMailMessage(question: Question): MailMessage {
  const { key, to, practiceName, practicePhone, startsAt, zone, customMessage, link, date } = question
  const subject = `Your appointment at ${practiceName}`
  const when = `Your appointment at ${practiceName} is on ${formatWhen(startsAt, zone)}.`
  const call = practicePhone === null ? '' : `Questions? Call ${practiceName}: ${practicePhone}`
  const paragraphs = [when, customMessage ?? '', call].filter((text) => text !== '')
  const ask = 'Will you come? Confirm or decline with this link:'
  return {
    key,
    to,
    // A header has one line.
    subject: subject.replaceAll(/\s+/g, ' '),
    date,
    text: `${[when, customMessage ?? '', `${ask}\n${link}`, call].filter((text) => text !== '').join('\n\n')}\n`,
    html: renderHtml(
      escapeHtml(subject),
      [
        ...paragraphs.slice(0, customMessage ? 2 : 1).map((text) => `<p>${escapeHtml(text)}</p>`),
        `<p><a href="${escapeHtml(link)}">Confirm or decline</a></p>`,
        call === '' ? '' : `<p>${escapeHtml(call)}</p>`,
      ].join('\n'),
    ),
  }
}
