import type { MessageLanguage } from '#contracts/values/confirmations.ts'
import type { MailMessage } from '#mail/message.ts'
import type { TextMessage } from '#sms/sms.ts'
import { createLinkMail } from '../message.ts'
import { formatWhen, textsByLanguage } from '../texts.ts'

/** All that an offer to a patient says. It names neither the patient nor the type of the appointment. */
type OfferMessage = {
  key: string
  to: string
  practiceName: string
  /** The start of the slot and the end of the offer, ISO, and the practice's time zone (IANA). */
  startsAt: string
  expiresAt: string
  zone: string
  link: string
  date: Date
  language: MessageLanguage
}

const describe = ({ practiceName, startsAt, expiresAt, zone, language }: OfferMessage) => {
  const texts = textsByLanguage[language]
  return {
    texts,
    offer: texts.offer(practiceName, formatWhen(startsAt, zone, language)),
    until: texts.openUntil(formatWhen(expiresAt, zone, language)),
  }
}

/** Returns the text message that offers a slot. */
export function createOfferText(message: OfferMessage): TextMessage {
  const { key, to, date, link } = message
  const { texts, offer, until } = describe(message)
  return { key, to, date, text: `${offer} ${texts.takeIt} ${link} ${until}` }
}

/** Returns the email that offers a slot. */
export function createOfferMail(message: OfferMessage): MailMessage {
  const { texts, offer, until } = describe(message)
  return createLinkMail(message, {
    subject: texts.offerSubject(message.practiceName),
    before: [offer],
    ask: `${texts.takeOrDecline}:`,
    label: texts.takeOrDecline,
    link: message.link,
    after: [until],
  })
}
