import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { renderHtml } from '#mail/message-parts.ts'

/** The number of unread notifications of a kind, as a message names it: `['cancelled appointment', 2]`. */
export type DigestLine = { one: string; many: string; count: number }

type Digest = {
  key: string
  to: string
  practiceName: string
  /** The address that users open, without a trailing slash. */
  address: string
  lines: readonly DigestLine[]
  date: Date
}

const subject = 'Your Everchart notifications'

const formatLine = ({ one, many, count }: DigestLine) => `${count} ${count === 1 ? one : many}`

/** Returns the daily message: how many notifications are unread, and links. It names no patient and no appointment. */
export function createDigestMessage({ key, to, practiceName, address, lines, date }: Digest): MailMessage {
  const introduction = `New in Everchart for ${practiceName}:`
  const listUrl = `${address}/dashboard`
  const settingsUrl = `${address}/practice?tab=notifications`
  return {
    key,
    to,
    subject,
    date,
    text: `${introduction}

${lines.map((line) => `- ${formatLine(line)}`).join('\n')}

To read them, open Everchart and press the bell:
${listUrl}

To stop these emails, or to choose your notifications:
${settingsUrl}
`,
    html: renderHtml(
      subject,
      `<p>${escapeHtml(introduction)}</p>
<ul>
${lines.map((line) => `<li>${formatLine(line)}</li>`).join('\n')}
</ul>
<p>To read them, <a href="${listUrl}">open Everchart</a> and press the bell.</p>
<p>To stop these emails, or to choose your notifications, <a href="${settingsUrl}">open the settings</a>.</p>`,
    ),
  }
}
