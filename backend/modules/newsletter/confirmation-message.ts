import type { MailMessage } from '#mail/message.ts'
import { formatInstant, renderHtml } from '#mail/message-parts.ts'

type Confirmation = {
  key: string
  to: string
  confirmUrl: string
  leaveUrl: string
  /** The instant until which the link works. */
  until: Date
  date: Date
}

const subject = 'Confirm your newsletter subscription'
const introduction =
  'Someone, most likely you, asked for the Everchart newsletter with healthcare insights, once a month, at this address.'

/** Returns the message that asks the owner of an address to confirm the newsletter. */
export function createConfirmationMessage(confirmation: Confirmation): MailMessage {
  const { key, to, confirmUrl, leaveUrl, until, date } = confirmation
  const deadline = formatInstant(until)
  const validity = `The link works until ${deadline}. Without the confirmation you receive nothing else, and your address is erased.`
  return {
    key,
    to,
    subject,
    date,
    unsubscribeUrl: leaveUrl,
    text: `${introduction}

To confirm, open this page and press the button on it:
${confirmUrl}

${validity}

If you did not ask for it, ignore this message, or erase your address now:
${leaveUrl}
`,
    html: renderHtml(
      subject,
      `<p>${introduction}</p>
<p>To confirm, open <a href="${confirmUrl}">this page</a> and press the button on it.</p>
<p>${validity}</p>
<p>If you did not ask for it, ignore this message, or <a href="${leaveUrl}">erase your address now</a>.</p>`,
    ),
  }
}
