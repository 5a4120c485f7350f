import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { isEmailRequestOpen, userDecider } from '../decider.ts'
import type { UserEvent } from '../events.ts'
import { jobNames } from '../process-manager.ts'
import { accountSettings } from '../settings.ts'
import { findAccountByEmail, finishEmailChange } from './change-email.ts'
import { createEmailLink } from './links.ts'
import { createChangeNotice, createConfirmationMessage, createRequestNotice, createTakenMessage } from './messages.ts'

const requestData = z.strictObject({ userId: UserId, requestId: z.uuid() })

/** Sends the link that confirms a new address, or says that the address has an account already. */
export const sendEmailConfirmation = defineJob({
  name: jobNames.sendEmailConfirmation,
  data: requestData,
  retry: mailRetry,
  async run(services, { userId, requestId }, { id, signal }) {
    const { bus, clock } = services
    const { address } = accountSettings.read(services)
    const date = clock()
    const { state } = await bus.load(userDecider, userId)
    if (state.status !== 'registered' || !isEmailRequestOpen(state, requestId, date.toISOString())) return
    const { email: to, expiresAt } = state.emailRequest ?? { email: '', expiresAt: '' }
    const recipient = { key: id, to, date }
    const isTaken = (await findAccountByEmail(services, to, userId)) !== null
    const message = isTaken
      ? createTakenMessage({ ...recipient, signInUrl: `${address}/auth`, forgotUrl: `${address}/forgot` })
      : createConfirmationMessage({
          ...recipient,
          url: createEmailLink({ ...services, address }, { userId, requestId }),
          until: new Date(expiresAt),
        })
    await deliverMail(services, message, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Returns the address that an account had right before an event of a request, and the instant of the event. */
function findEmailBefore(
  history: readonly Recorded<UserEvent>[],
  type: 'EmailChangeRequested' | 'EmailChanged',
  requestId: string,
): { email: string; at: Date } | null {
  let email: string | null = null
  for (const event of history) {
    if (event.type === type && event.data.requestId === requestId && email !== null)
      return { email, at: new Date(event.metadata.at) }
    if (event.type === 'UserRegistered') email = event.data.email
    if (event.type === 'EmailChanged') email = event.data.to
  }
  return null
}

/** Sends a notice of a requested change to the address that the account has. */
export const sendEmailRequestNotice = defineJob({
  name: jobNames.sendEmailRequestNotice,
  data: requestData,
  retry: mailRetry,
  async run(services, { userId, requestId }, { id, signal }) {
    const { history } = await services.bus.load(userDecider, userId)
    const found = findEmailBefore(history, 'EmailChangeRequested', requestId)
    if (!found) return
    const { email: to, at } = found
    const forgotUrl = `${accountSettings.read(services).address}/forgot`
    await deliverMail(services, createRequestNotice({ key: id, to, date: at, at, forgotUrl }), signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Sends a notice of a change to the address that the account had until then. */
export const sendEmailChangeNotice = defineJob({
  name: jobNames.sendEmailChangeNotice,
  data: requestData,
  retry: mailRetry,
  async run(services, { userId, requestId }, { id, signal }) {
    const { history } = await services.bus.load(userDecider, userId)
    const found = findEmailBefore(history, 'EmailChanged', requestId)
    if (!found) return
    const { email: to, at } = found
    await deliverMail(services, createChangeNotice({ key: id, to, date: at, at }), signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Finishes a change of an address, in case the request that recorded it was interrupted: the former one becomes free. */
export const finishEmail = defineJob({
  name: jobNames.finishEmailChange,
  data: requestData.extend({ practiceId: PracticeId.nullable(), cause: Cause }),
  retry: followUpRetry,
  async run(services, { userId, requestId, practiceId, cause }) {
    const context = { practiceId, actor: { kind: 'process', name: jobNames.finishEmailChange }, ...cause } as const
    await finishEmailChange(services, userId, requestId, context)
  },
})
