import { followUp } from '#modules/kit/follow-up.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'
import type { Recorded } from '#eventstore/event.ts'
import { computePasswordVersion } from './passwords/decider.ts'
import type { PasskeyEvent, PasswordEvent, TwoFactorEvent, UserEvent } from './events.ts'

/** The names of the jobs that these process managers request; see password-jobs.ts, email-change, two-factor and passkeys. */
export const jobNames = {
  sendReset: 'send-password-reset',
  sendNotice: 'send-password-notice',
  finishChange: 'finish-password-change',
  sendEmailProof: 'send-email-proof',
  sendEmailConfirmation: 'send-email-confirmation',
  sendEmailRequestNotice: 'send-email-request-notice',
  sendEmailChangeNotice: 'send-email-change-notice',
  finishEmailChange: 'finish-email-change',
  sendTwoFactorNotice: 'send-two-factor-notice',
  sendPasskeyNotice: 'send-passkey-notice',
} as const

/** Mails links and notices, and finishes changes that were interrupted. */
export const followPasswords = defineProcessManager<PasswordEvent>({
  name: 'follow-passwords',
  on: {
    PasswordResetRequested: ({ data: { userId, resetId, expiresAt } }) =>
      userId === null ? [] : [{ job: jobNames.sendReset, data: { userId, resetId, expiresAt } }],
    PasswordReset: (event) => followChange(event, null),
    PasswordChanged: (event) => followChange(event, event.data.sessionId),
  },
})

/**
 * Mails links that confirm addresses, notices of changed ones, and the notices of second factors; finishes changes.
 */
export const followAccounts = defineProcessManager<UserEvent | TwoFactorEvent | PasskeyEvent>({
  name: 'follow-accounts',
  on: {
    EmailProofRequested: ({ data: { userId, proofId } }) => [
      { job: jobNames.sendEmailProof, data: { userId, proofId } },
    ],
    EmailChangeRequested: ({ data: { userId, requestId } }) => [
      { job: jobNames.sendEmailConfirmation, data: { userId, requestId } },
      { job: jobNames.sendEmailRequestNotice, data: { userId, requestId } },
    ],
    EmailChanged: (event) => {
      const { userId, requestId } = event.data
      const { practiceId } = event.metadata
      return [
        { job: jobNames.sendEmailChangeNotice, data: { userId, requestId } },
        ...followUp(event, jobNames.finishEmailChange, { userId, requestId, practiceId }),
      ]
    },
    TwoFactorReset: ({ data: { userId }, metadata: { at } }) => [
      { job: jobNames.sendTwoFactorNotice, data: { userId, at } },
    ],
    PasskeyAdded: ({ data: { userId, passkeyId }, metadata: { at } }) => [
      { job: jobNames.sendPasskeyNotice, data: { userId, passkeyId, at } },
    ],
    // With an authenticator app, its reset sends the notice; with a new password, that of the change says so.
    PasskeysReset: ({ data: { userId, factorId, by }, metadata: { at } }) =>
      factorId === null && by !== userId ? [{ job: jobNames.sendTwoFactorNotice, data: { userId, at } }] : [],
  },
})

function followChange(
  event: Recorded<Extract<PasswordEvent, { type: 'PasswordReset' | 'PasswordChanged' }>>,
  keptSessionId: string | null,
) {
  const { userId, changeId } = event.data
  const { practiceId, at } = event.metadata
  const version = computePasswordVersion(event.revision)
  return [
    { job: jobNames.sendNotice, data: { userId, at, isReset: event.type === 'PasswordReset' } },
    ...followUp(event, jobNames.finishChange, { userId, changeId, practiceId, keptSessionId, version }),
  ]
}
