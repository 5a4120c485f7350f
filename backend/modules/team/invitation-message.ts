import { escapeHtml } from '#http/escape-html.ts'
import type { MailMessage } from '#mail/message.ts'
import { formatInstant, renderHtml } from '#mail/message-parts.ts'
import type { Role } from '#contracts/values/roles.ts'

type Invitation = {
  key: string
  to: string
  practiceName: string
  role: Role
  url: string
  /** The instant until which the link works. */
  until: Date
  date: Date
}

/** Returns the message that invites a person to the team of a practice. */
export function createInvitationMessage({ key, to, practiceName, role, url, until, date }: Invitation): MailMessage {
  const subject = `${practiceName} invites you to Everchart`
  const introduction = `${practiceName} invites you to work with them in Everchart, the application in which they keep their appointments and records. Your role will be: ${role}.`
  const deadline = formatInstant(until)
  const validity = `The link works once, until ${deadline}. It is meant for you alone: please do not forward it.`
  const otherwise = 'If you do not know this practice, ignore this message. No account is created without you.'
  return {
    key,
    to,
    subject,
    date,
    text: `${introduction}

To accept, open this page and choose a password:
${url}

${validity}

${otherwise}
`,
    html: renderHtml(
      escapeHtml(subject),
      `<p>${escapeHtml(introduction)}</p>
<p>To accept, open <a href="${escapeHtml(url)}">this page</a> and choose a password.</p>
<p>${validity}</p>
<p>${otherwise}</p>`,
    ),
  }
}
