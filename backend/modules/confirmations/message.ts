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
  const { key, to, practiceName, practicePhone, startsAt, zone, customMessage, link, date, language } = question
  const texts = textsByLanguage[language]
  const subject = texts.subject(practiceName)
  const when = texts.isOn(practiceName, formatWhen(startsAt, zone, language))
  const call = practicePhone === null ? '' : texts.questions(practiceName, practicePhone)
  const paragraphs = [when, customMessage ?? '', call].filter((text) => text !== '')
  return {
    key,
    to,
    // A header has one line.
    subject: subject.replaceAll(/\s+/g, ' '),
    date,
    text: `${[when, customMessage ?? '', `${texts.ask}\n${link}`, call].filter((text) => text !== '').join('\n\n')}\n`,
    html: renderHtml(
      escapeHtml(subject),
      [
        ...paragraphs.slice(0, customMessage ? 2 : 1).map((text) => `<p>${escapeHtml(text)}</p>`),
        `<p><a href="${escapeHtml(link)}">${escapeHtml(texts.confirmOrDecline)}</a></p>`,
        call === '' ? '' : `<p>${escapeHtml(call)}</p>`,
      ].join('\n'),
    ),
  }
}
