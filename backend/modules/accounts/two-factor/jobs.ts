import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import type { MailMessage } from '#mail/message.ts'
import { formatInstant } from '#mail/message-parts.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { defineJob } from '#modules/module.ts'
import { createMessage, type Recipient } from '../passwords/messages.ts'
import { jobNames } from '../process-manager.ts'
import { loadRegistration } from '../public.ts'
import { accountSettings } from '../settings.ts'

/** Returns the message about the reset of a user's second factor at an instant. */
const createResetNotice = ({ at, signInUrl, ...recipient }: Recipient & { at: Date; signInUrl: string }): MailMessage =>
  createMessage(recipient, 'Your two-factor authentication was reset', [
    {
      text: `On ${formatInstant(at)}, an administrator of your practice turned off the two-factor authentication of your Everchart account, and removed its passkeys. You were signed out everywhere.`,
    },
    {
      text: 'Sign in with your password and set it up again, in the settings under Security:',
      link: { url: signInUrl, label: 'Sign in' },
    },
    { text: 'If you did not ask for this, tell the owner of your practice.' },
  ])

/** Sends a user the notice that the second factor was reset. */
export const sendTwoFactorNotice = defineJob({
  name: jobNames.sendTwoFactorNotice,
  data: z.strictObject({ userId: UserId, at: z.iso.datetime() }),
  retry: mailRetry,
  async run(services, { userId, at }, { id, signal }) {
    const registration = await loadRegistration(services, userId)
    if (!registration) return
    const date = new Date(at)
    const signInUrl = `${accountSettings.read(services).address}/auth`
    const message = createResetNotice({ key: id, to: registration.email, date, at: date, signInUrl })
    await deliverMail(services, message, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})
