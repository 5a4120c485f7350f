import { composeText, type MessageLanguage } from '#contracts/values/confirmations.ts'
import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { renderHtml } from '#mail/message-parts.ts'
import type { TextMessage } from '#sms/sms.ts'
import { formatWhen, textsByLanguage } from './texts.ts'

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
  language: MessageLanguage
}

/** Returns the text message that asks a patient. */
export const createTextMessage = ({ key, to, date, startsAt, zone, ...question }: Question): TextMessage => ({
  key,
  to,
  date,
  text: composeText({ ...question, when: formatWhen(startsAt, zone, question.language) }),
})

/** Returns the email that asks a patient. */
export function createMailMessage(question: Question): MailMessage {
  const { practiceName, practicePhone, startsAt, zone, customMessage, link, language } = question
  const texts = textsByLanguage[language]
  return createLinkMail(question, {
    subject: texts.subject(practiceName),
    before: [texts.isOn(practiceName, formatWhen(startsAt, zone, language)), ...(customMessage ? [customMessage] : [])],
    ask: texts.ask,
    label: texts.confirmOrDecline,
    link,
    after: practicePhone === null ? [] : [texts.questions(practiceName, practicePhone)],
  })
}

type LinkMail = {
  subject: string
  before: readonly string[]
  /** The line above the link where the email is shown as text, and the words of the link otherwise. */
  ask: string
  label: string
  link: string
  after: readonly string[]
}

const toParagraph = (text: string) => `<p>${escapeHtml(text)}</p>`

/** Returns an email with a link between its paragraphs. */
export const createLinkMail = (
  { key, to, date }: Pick<MailMessage, 'key' | 'to' | 'date'>,
  { subject, before, ask, label, link, after }: LinkMail,
): MailMessage => ({
  key,
  to,
  // A header has one line.
  subject: subject.replaceAll(/\s+/g, ' '),
  date,
  text: `${[...before, `${ask}\n${link}`, ...after].join('\n\n')}\n`,
  html: renderHtml(
    escapeHtml(subject),
    [
      ...before.map(toParagraph),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(label)}</a></p>`,
      ...after.map(toParagraph),
    ].join('\n'),
  ),
})
