import type { MessageLanguage } from '#contracts/values/confirmations.ts'
import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { renderHtml } from '#mail/message-parts.ts'
import type { TextMessage } from '#sms/sms.ts'
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
  const { key, to, date, link, practiceName } = message
  const { texts, offer, until } = describe(message)
  const subject = texts.offerSubject(practiceName)
  return {
    key,
    to,
    // A header has one line.
    subject: subject.replaceAll(/\s+/g, ' '),
    date,
    text: `${offer}\n\n${texts.takeOrDecline}:\n${link}\n\n${until}\n`,
    html: renderHtml(
      escapeHtml(subject),
      [
        `<p>${escapeHtml(offer)}</p>`,
        `<p><a href="${escapeHtml(link)}">${escapeHtml(texts.takeOrDecline)}</a></p>`,
        `<p>${escapeHtml(until)}</p>`,
      ].join('\n'),
    ),
  }
}
