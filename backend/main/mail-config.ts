import { z } from 'zod'
import type { Sender } from '#mail/message.ts'
import type { SmtpSettings } from '#mail/smtp.ts'
import { StartError } from '#runtime/start-error.ts'
import { parseUrl, text, defineVariable } from './config-variable.ts'

/** The sender of messages that are only stored in the outbox. */
const outboxSender = 'Everchart <everchart@localhost>'

const isAddress = (value: string) => z.email().safeParse(value).success || /^[\w.+-]+@localhost$/.test(value)

/** Parses `Name <address>` or an address alone; undefined if it is neither. */
function parseSender(header: string): Sender | undefined {
  const [, address = ''] = /^(?:[^<>"\\,;:@\p{Cc}]+ <([^<>]+)>)$/u.exec(header) ?? [header, header]
  return isAddress(address) ? { header, address } : undefined
}

/** Parses the address of a mail server; undefined if it is not one. */
function parseSmtpUrl(value: string): SmtpSettings | undefined {
  const url = parseUrl(value)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isLoopback = /^(localhost|127\.[\d.]+|::1)$/.test(host)
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    const credentials = user === '' ? null : { user, password }
    return { host, port: Number(url.port) || (secure ? 465 : 587), secure, isLoopback, credentials }
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}

/** The environment variables for mail, and for the addresses that visitors write to. */
export const mailVariables = {
  SMTP_URL: defineVariable({
    defaultValue: '',
    description:
      'The mail server: smtp://user:password@host:587 (encrypted with STARTTLS, except on this machine) or smtps://user:password@host:465. Without it, messages are stored in DATA_DIR/outbox.',
    requirement: 'an address such as smtp://user:password@host:587 or smtps://user:password@host:465',
    secret: true,
    schema: text
      .refine((value) => parseSmtpUrl(value) !== undefined)
      .transform((value) => parseSmtpUrl(value) as SmtpSettings)
      .optional(),
  }),
  MAIL_FROM: defineVariable({
    defaultValue: outboxSender,
    description: 'The sender of all messages; must be set when SMTP_URL is.',
    requirement: 'an address such as Everchart <news@practice.example>',
    schema: text
      .refine((value) => parseSender(value) !== undefined)
      .transform((value) => parseSender(value) as Sender)
      .optional(),
  }),
  CONTACT_EMAIL: defineVariable({
    defaultValue: '',
    description: 'The address that visitors of the public pages write to, for sales, demonstrations and support.',
    requirement: 'an e-mail address',
    schema: z.email().optional(),
  }),
  SECURITY_CONTACT: defineVariable({
    defaultValue: '',
    description: 'An e-mail address or https:// page for reports of vulnerabilities, published in security.txt.',
    requirement: 'an e-mail address or an https:// address',
    schema: text
      .refine((value) => isAddress(value) || parseUrl(value)?.protocol === 'https:')
      .transform((value) => (isAddress(value) ? `mailto:${value}` : value))
      .optional(),
  }),
}

type Values = { [Name in keyof typeof mailVariables]: z.output<(typeof mailVariables)[Name]['schema']> }

/** The outgoing mail of an installation. `smtp` is null without a mail server. */
export type MailSettings = { smtp: SmtpSettings | null; sender: Sender }

/** Returns the settings of outgoing mail. Throws StartError if there is a mail server and no sender. */
export function parseMailSettings({ SMTP_URL: smtp, MAIL_FROM: sender }: Values): MailSettings {
  if (smtp && !sender) throw new StartError('MAIL_FROM must be set too when SMTP_URL is.')
  return { smtp: smtp ?? null, sender: sender ?? (parseSender(outboxSender) as Sender) }
}
