import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import type { MailMessage } from '#mail/message.ts'
import { formatInstant } from '#mail/message-parts.ts'
import { deliverMail } from '#modules/kit/deliver-mail.ts'
import { defineJob } from '#modules/module.ts'
import { createMessage, type Recipient } from '../passwords/messages.ts'
import { jobNames } from '../process-manager.ts'
import { loadRegistration } from '../public.ts'
import { accountSettings } from '../settings.ts'
import { passkeyDecider } from './decider.ts'

type Addition = Recipient & { name: string; at: Date; settingsUrl: string }

/** Returns the message about a passkey that was added at an instant. */
const createAdditionNotice = ({ name, at, settingsUrl, ...recipient }: Addition): MailMessage =>
  createMessage(recipient, 'A passkey was added to your account', [
    {
      text: `On ${formatInstant(at)}, the passkey "${name}" was added to your Everchart account. It signs in without your password.`,
    },
    {
      text: 'If this was not you, remove it in the settings under Security, sign out everywhere else, and change your password:',
      link: { url: settingsUrl, label: 'Open the settings' },
    },
  ])

/** Sends a user the notice that a passkey was added, unless it was removed since. */
export const sendPasskeyNotice = defineJob({
  name: jobNames.sendPasskeyNotice,
  data: z.strictObject({ userId: UserId, passkeyId: z.uuid(), at: z.iso.datetime() }),
  // For about a day, as mail servers do.
  retry: { limit: 60, maxDelaySeconds: 1_800 },
  async run(services, { userId, passkeyId, at }, { id, signal }) {
    const [registration, { state }] = await Promise.all([
      loadRegistration(services, userId),
      services.bus.load(passkeyDecider, userId),
    ])
    const passkey = state.find((each) => each.passkeyId === passkeyId)
    if (!registration || !passkey) return
    const date = new Date(at)
    const settingsUrl = `${accountSettings.read(services).address}/practice?tab=security`
    const notice = createAdditionNotice({
      key: id,
      to: registration.email,
      date,
      name: passkey.name,
      at: date,
      settingsUrl,
    })
    await deliverMail(services, notice, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})
