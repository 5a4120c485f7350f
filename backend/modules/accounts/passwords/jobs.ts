import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { finishPasswordChange } from './change-password.ts'
import { isAddressProved, userDecider } from '../decider.ts'
import { isResetOpen, passwordDecider } from './decider.ts'
import { findEmailChangedAt } from '../email-change/change-email.ts'
import { passkeyDecider } from '../passkeys/decider.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createPasswordNotice, createResetMessage } from './messages.ts'
import { jobNames } from '../process-manager.ts'
import { createResetLinks } from './reset-links.ts'
import { accountSettings } from '../settings.ts'

/** Sends the link to choose a new password, unless it was used or has expired. */
export const sendReset = defineJob({
  name: jobNames.sendReset,
  data: z.strictObject({ userId: UserId, resetId: z.uuid(), expiresAt: z.iso.datetime() }),
  // For about as long as the link works.
  retry: { limit: 12, maxDelaySeconds: 180 },
  async run(services, { userId, resetId, expiresAt }, { id, signal }) {
    const { bus, clock } = services
    const now = clock()
    const [{ state }, { state: account, history }] = await Promise.all([
      bus.load(passwordDecider, userId),
      bus.load(userDecider, userId),
    ])
    const isOpen = isResetOpen(state, resetId, now.toISOString(), findEmailChangedAt(history))
    if (account.status !== 'registered' || !isOpen) return
    const url = createResetLinks({ ...services, ...accountSettings.read(services) }).createUrl({ userId, resetId })
    const message = { key: id, to: account.user.email, date: now, url, until: new Date(expiresAt) }
    await deliverMail(services, createResetMessage(message), signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Sends a user the message that the password changed. */
export const sendNotice = defineJob({
  name: jobNames.sendNotice,
  data: z.strictObject({ userId: UserId, at: z.iso.datetime(), isReset: z.boolean() }),
  retry: mailRetry,
  async run(services, { userId, at, isReset }, { id, signal }) {
    const [{ state: account }, { state, history }] = await Promise.all([
      services.bus.load(userDecider, userId),
      services.bus.load(passkeyDecider, userId),
    ])
    if (account.status !== 'registered') return
    const { address } = accountSettings.read(services)
    const changedAt = new Date(at)
    const recipient = { key: id, to: account.user.email, date: changedAt }
    const hadPasskeys = history.some(({ type, metadata }) => type === 'PasskeyAdded' && metadata.at <= at)
    // The request may be about to remove them.
    const areRemoved = isReset && hadPasskeys && (state.length === 0 || !isAddressProved(account))
    const passkeys = areRemoved ? 'removed' : state.map(({ name }) => name)
    const notice = createPasswordNotice({ ...recipient, changedAt, forgotUrl: `${address}/forgot`, passkeys })
    await deliverMail(services, notice, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Finishes a change of a password, in case the request that recorded it was interrupted. */
export const finishChange = defineJob({
  name: jobNames.finishChange,
  data: z.strictObject({
    userId: UserId,
    changeId: z.uuid(),
    practiceId: PracticeId.nullable(),
    keptSessionId: z.uuid().nullable(),
    version: z.int(),
    cause: Cause,
  }),
  retry: followUpRetry,
  async run(services, { practiceId, cause, ...change }) {
    const changes = createPasswordChanges(services.pool)
    const context = { practiceId, actor: { kind: 'process', name: jobNames.finishChange }, ...cause } as const
    await finishPasswordChange({ ...services, changes }, change, context)
  },
})
