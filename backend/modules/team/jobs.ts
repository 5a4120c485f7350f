import { z } from 'zod'
import { InvitationId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { resetTwoFactor } from '#modules/accounts/public.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { completeAcceptance } from './accept-invitation.ts'
import { invitationDecider, teamDecider } from './decider.ts'
import { createInvitationMessage } from './invitation-message.ts'
import { createInvitationUrl } from './links.ts'
import { jobNames } from './process-manager.ts'
import { teamSettings } from './settings.ts'

/** Sends the message of an invitation, unless it is no longer open or was sent again. */
export const sendInvitation = defineJob({
  name: jobNames.sendInvitation,
  data: z.strictObject({ invitationId: InvitationId, linkNumber: z.number().int() }),
  retry: mailRetry,
  async run(services, { invitationId, linkNumber }, { id, signal }) {
    const { bus, db, clock, keyedHash } = services
    const { state, history } = await bus.load(invitationDecider, invitationId)
    const now = clock()
    if (state.status !== 'pending' || state.linkNumber !== linkNumber || state.expiresAt <= now.toISOString()) return
    const practice = await findPracticeProfile(db, state.practiceId)
    if (!practice) throw new Error('The practice cannot be looked up yet')
    const message = createInvitationMessage({
      key: id,
      to: state.email,
      practiceName: practice.name,
      role: state.role,
      url: createInvitationUrl({ keyedHash, ...teamSettings.read(services) }, state),
      until: new Date(state.expiresAt),
      // The same for every attempt.
      date: new Date(history.at(-1)?.metadata.at ?? now),
    })
    await deliverMail(services, message, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})

/** Completes what follows from an acceptance: the person joins the team and becomes a provider if the invitation says so. */
export const completeInvitation = defineJob({
  name: jobNames.completeInvitation,
  data: z.strictObject({ invitationId: InvitationId, cause: Cause }),
  retry: followUpRetry,
  async run(services, { invitationId, cause }, { id: idempotencyKey }) {
    const { state } = await services.bus.load(invitationDecider, invitationId)
    // An address may have been invited again since: that invitation has a job of its own.
    if (state.status !== 'accepted' || state.acceptedBy === null) return
    const { practiceId, acceptedBy: userId } = state
    const context = { practiceId, actor: { kind: 'process', name: jobNames.completeInvitation }, ...cause } as const
    await completeAcceptance(services, state, userId, context, { idempotencyKey })
  },
})

/** Turns off the second factor of a member that was reset, if its request was interrupted. */
export const finishTwoFactorReset = defineJob({
  name: jobNames.finishTwoFactorReset,
  data: z.strictObject({
    practiceId: PracticeId,
    userId: UserId,
    by: UserId,
    factorId: z.uuid().nullable(),
    passkeyIds: z.array(z.uuid()).optional(),
    cause: Cause,
  }),
  retry: followUpRetry,
  async run(services, { practiceId, cause, passkeyIds = [], ...reset }) {
    const context = { practiceId, actor: { kind: 'process', name: jobNames.finishTwoFactorReset }, ...cause } as const
    await resetTwoFactor(services, { ...reset, passkeyIds }, context)
  },
})

/** Ends the sessions of a member who was suspended, and is still. */
export const endSessions = defineJob({
  name: jobNames.endSessions,
  data: z.strictObject({ practiceId: PracticeId, userId: UserId, cause: Cause }),
  retry: followUpRetry,
  async run({ bus, sessions }, { practiceId, userId }) {
    const { state } = await bus.load(teamDecider, practiceId)
    if (state.status === 'started' && state.members[userId]?.isSuspended) await sessions.revokeAll(userId)
  },
})
