import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { renderHtml } from '#mail/message-parts.ts'
import type { TextMessage } from '#sms/sms.ts'
import { formatWhen } from '../message.ts'

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
}

const describe = ({ practiceName, startsAt, expiresAt, zone }: OfferMessage) => ({
  offer: `${practiceName}: a time is free on ${formatWhen(startsAt, zone)}.`,
  until: `The offer is open until ${formatWhen(expiresAt, zone)}.`,
})

/** Returns the text message that offers a slot. */
export function createOfferText(message: OfferMessage): TextMessage {
  const { key, to, date, link } = message
  const { offer, until } = describe(message)
  return { key, to, date, text: `${offer} Take it: ${link} ${until}` }
}

/** Returns the email that offers a slot. */
export function createOfferMail(message: OfferMessage): MailMessage {
  const { key, to, date, link, practiceName } = message
  const { offer, until } = describe(message)
  const subject = `A time is free at ${practiceName}`
  return {
    key,
    to,
    // A header has one line.
    subject: subject.replaceAll(/\s+/g, ' '),
    date,
    text: `${offer}\n\nTake it or decline with this link:\n${link}\n\n${until}\n`,
    html: renderHtml(
      escapeHtml(subject),
      [
        `<p>${escapeHtml(offer)}</p>`,
        `<p><a href="${escapeHtml(link)}">Take it or decline</a></p>`,
        `<p>${escapeHtml(until)}</p>`,
      ].join('\n'),
    ),
  }
}
