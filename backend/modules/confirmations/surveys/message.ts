import type { MessageLanguage } from '#contracts/values/confirmations.ts'
import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { renderHtml } from '#mail/message-parts.ts'
import type { TextMessage } from '#sms/sms.ts'
import { textsByLanguage } from '../texts.ts'

/** All that the question to a patient says. It names neither the patient nor the appointment. */
type SurveyMessage = {
  key: string
  to: string
  practiceName: string
  link: string
  date: Date
  language: MessageLanguage
}

/** Returns the text message that asks about satisfaction. */
export function createSurveyText({ key, to, date, link, practiceName, language }: SurveyMessage): TextMessage {
  const texts = textsByLanguage[language]
  return { key, to, date, text: `${texts.surveyAsk(practiceName)} ${texts.surveyRate}: ${link}` }
}

/** Returns the email that asks about satisfaction. */
export function createSurveyMail({ key, to, date, link, practiceName, language }: SurveyMessage): MailMessage {
  const texts = textsByLanguage[language]
  const subject = texts.surveySubject(practiceName)
  const question = texts.surveyAsk(practiceName)
  return {
    key,
    to,
    // A header has one line.
    subject: subject.replaceAll(/\s+/g, ' '),
    date,
    text: `${question}\n\n${texts.surveyRate}:\n${link}\n\n${texts.surveyPrivate}\n`,
    html: renderHtml(
      escapeHtml(subject),
      [
        `<p>${escapeHtml(question)}</p>`,
        `<p><a href="${escapeHtml(link)}">${escapeHtml(texts.surveyRate)}</a></p>`,
        `<p>${escapeHtml(texts.surveyPrivate)}</p>`,
      ].join('\n'),
    ),
  }
}
