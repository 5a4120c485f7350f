import type { MessageLanguage } from '#contracts/values/confirmations.ts'
import type { MailMessage } from '#mail/message.ts'
import type { TextMessage } from '#sms/sms.ts'
import { createLinkMail } from '../message.ts'
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
export function createSurveyMail(message: SurveyMessage): MailMessage {
  const { practiceName, language, link } = message
  const texts = textsByLanguage[language]
  return createLinkMail(message, {
    subject: texts.surveySubject(practiceName),
    before: [texts.surveyAsk(practiceName)],
    ask: `${texts.surveyRate}:`,
    label: texts.surveyRate,
    link,
    after: [texts.surveyPrivate],
  })
}
