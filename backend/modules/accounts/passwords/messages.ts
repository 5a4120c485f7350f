import { resetMinutes } from '#contracts/account-security.ts'
import type { MailMessage } from '#mail/message.ts'
import { escapeHtml, formatInstant, renderHtml } from '#mail/message-parts.ts'

/** The recipient of a message; `key` is the same for every attempt to send it, and `date` what it is dated. */
export type Recipient = { key: string; to: string; date: Date }

/** Returns the message with the link to choose a new password. */
export function createResetMessage({
  url,
  until,
  ...recipient
}: Recipient & { url: string; /** The instant until which the link works. */ until: Date }): MailMessage {
  const request = 'Someone, most likely you, asked for a new password for the Everchart account with this address.'
  const validity = `The link works once, for ${resetMinutes} minutes, until ${formatInstant(until)}.`
  const otherwise = 'If you did not ask for it, ignore this message: your password stays as it is.'
  return createMessage(recipient, 'Choose a new password', [
    { text: request },
    { text: 'To choose one, open this page:', link: { url, label: 'Choose a new password' } },
    { text: validity },
    { text: otherwise },
  ])
}

/** Returns the message that tells a user that the password changed at an instant. */
export function createPasswordNotice({
  changedAt,
  forgotUrl,
  passkeys,
  ...recipient
}: Recipient & {
  changedAt: Date
  forgotUrl: string
  /** The names of the passkeys, which sign in with the new password as they did before, unless they were removed. */
  passkeys: readonly string[] | 'removed'
}): MailMessage {
  const fact = `The password of your Everchart account was changed on ${formatInstant(changedAt)}. All other sessions were signed out.`
  return createMessage(recipient, 'Your password was changed', [
    { text: fact },
    {
      text: 'If this was not you, choose a new password now, and tell the administrator of your practice:',
      link: { url: forgotUrl, label: 'Choose a new password' },
    },
    ...(passkeys.length === 0 ? [] : [{ text: describePasskeys(passkeys) }]),
  ])
}

const describePasskeys = (names: readonly string[] | 'removed') =>
  names === 'removed'
    ? 'Passkeys that were added before were removed. You can add yours again in the settings, under Security.'
    : `Your passkeys still sign you in: ${names.join(', ')}. Remove one that you do not know in the settings, under Security.`

type Paragraph = { text: string; link?: { url: string; label: string } }

/** Returns a message as plain text and as HTML. */
export function createMessage(recipient: Recipient, subject: string, paragraphs: readonly Paragraph[]): MailMessage {
  const text = paragraphs.map((part) => (part.link ? `${part.text}\n${part.link.url}` : part.text)).join('\n\n')
  const html = paragraphs
    .map(
      ({ text: line, link }) => `<p>${escapeHtml(line)}${link ? ` <a href="${link.url}">${link.label}</a>` : ''}</p>`,
    )
    .join('\n')
  return {
    ...recipient,
    subject,
    text: `${text}\n`,
    html: renderHtml(subject, html),
  }
}
