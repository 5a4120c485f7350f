import { emailChangeHours } from '#contracts/account-security.ts'
import type { MailMessage } from '#mail/message.ts'
import { formatInstant } from '#mail/message-parts.ts'
import { createMessage, type Recipient } from '../passwords/messages.ts'

/** Returns the message with the link that confirms a new address. */
export const createConfirmationMessage = ({
  url,
  until,
  ...recipient
}: Recipient & { url: string; /** The instant until which the link works. */ until: Date }): MailMessage =>
  createMessage(recipient, 'Confirm your new email', [
    { text: 'Someone, most likely you, wants to use this address for their Everchart account.' },
    { text: 'To confirm it, sign in and open this page:', link: { url, label: 'Confirm this address' } },
    { text: `The link works once, for ${emailChangeHours} hours, until ${formatInstant(until)}.` },
    { text: 'If this was not you, ignore this message: nothing changes.' },
  ])

/** Returns the message for an address that has an account already, and which someone wants to use for another one. */
export const createTakenMessage = ({
  signInUrl,
  forgotUrl,
  ...recipient
}: Recipient & { signInUrl: string; forgotUrl: string }): MailMessage =>
  createMessage(recipient, 'Your address has an account already', [
    {
      text: 'Someone, most likely you, wants to use this address for another account of Everchart. It has an account already, and each address belongs to one account.',
    },
    { text: 'You can sign in to it:', link: { url: signInUrl, label: 'Sign in' } },
    { text: 'Forgotten the password? Choose a new one:', link: { url: forgotUrl, label: 'Choose a new password' } },
    { text: 'If this was not you, ignore this message: your account stays as it is.' },
  ])

type Notice = Recipient & { at: Date; forgotUrl: string }

/** Returns the message to the current address about a request to change it. */
export const createRequestNotice = ({ at, forgotUrl, ...recipient }: Notice): MailMessage =>
  createMessage(recipient, 'A new email was requested for your account', [
    {
      text: `On ${formatInstant(at)}, a new email was requested for your Everchart account. This one stays valid until the new one is confirmed.`,
    },
    {
      text: 'If this was not you, someone knows your password. Choose a new one now, and tell the administrator of your practice:',
      link: { url: forgotUrl, label: 'Choose a new password' },
    },
  ])

/** Returns the message to the former address about the change. */
export const createChangeNotice = ({ at, ...recipient }: Omit<Notice, 'forgotUrl'>): MailMessage =>
  createMessage(recipient, 'The email of your account was changed', [
    {
      text: `On ${formatInstant(at)}, the email of your Everchart account was changed. You no longer sign in with this address.`,
    },
    { text: 'If this was not you, tell the administrator of your practice at once.' },
  ])
