import { emailProofDays } from '#contracts/account-security.ts'
import type { MailMessage } from '#mail/message.ts'
import { formatInstant } from '#mail/message-parts.ts'
import { createMessage, type Recipient } from '../passwords/messages.ts'

/** Returns the message with the link that confirms the address of a registration. */
export const createProofMessage = ({
  url,
  until,
  ...recipient
}: Recipient & { url: string; /** The instant until which the link works. */ until: Date }): MailMessage =>
  createMessage(recipient, 'Confirm your email', [
    { text: 'Someone, most likely you, created an account of Everchart with this address.' },
    { text: 'To confirm that it is yours, open this page:', link: { url, label: 'Confirm this address' } },
    { text: `The link works for ${emailProofDays} days, until ${formatInstant(until)}.` },
    {
      text: 'If this was not you, ignore this message: the account stays limited, and we send nothing else by itself.',
    },
  ])
