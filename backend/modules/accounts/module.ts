import { rateLimitsMigration } from '#http/rate-limiter.ts'
import type { Module } from '#modules/module.ts'
import { passwordDecider } from './passwords/decider.ts'
import { failedSignInDecider, sessionDecider } from './sessions/decider.ts'
import {
  EmailEvent,
  FailedSignInEvent,
  PasskeyEvent,
  PasskeyUseEvent,
  PasswordEvent,
  SessionEvent,
  TwoFactorEvent,
  UserEvent,
  UsernameEvent,
} from './events.ts'
import { purgeExpiredSessions, purgeIdempotencyKeys } from './jobs.ts'
import { knownNetworksMigration } from './sessions/known-networks.ts'
import { passkeyDecider, passkeyUseDecider } from './passkeys/decider.ts'
import { sendPasskeyNotice } from './passkeys/jobs.ts'
import { passkeysMigration } from './passkeys/passkey-store.ts'
import { passwordChangesMigration } from './passwords/password-changes.ts'
import { finishChange, sendNotice, sendReset } from './passwords/jobs.ts'
import { credentialsMigration } from './passwords/password-store.ts'
import {
  finishEmail,
  sendEmailChangeNotice,
  sendEmailConfirmation,
  sendEmailRequestNotice,
} from './email-change/jobs.ts'
import { sendEmailProof } from './email-proof/jobs.ts'
import { practiceStanding } from './practice-standing/projection.ts'
import { followAccounts, followPasswords } from './process-manager.ts'
import { users } from './projection.ts'
import { accountRoutes } from './routes.ts'
import { accountSettings } from './settings.ts'
import { twoFactorDecider } from './two-factor/decider.ts'
import { secondFactorsMigration } from './two-factor/factor-store.ts'
import { sendTwoFactorNotice } from './two-factor/jobs.ts'

/** Accounts: registration, sign-in and sign-out, passwords and sessions. */
export const accounts: Module = {
  name: 'accounts',
  events: [
    EmailEvent,
    UsernameEvent,
    UserEvent,
    SessionEvent,
    FailedSignInEvent,
    PasswordEvent,
    TwoFactorEvent,
    PasskeyEvent,
    PasskeyUseEvent,
  ],
  migrations: [
    credentialsMigration,
    rateLimitsMigration,
    passwordChangesMigration,
    secondFactorsMigration,
    passkeysMigration,
    knownNetworksMigration,
  ],
  projections: [users, practiceStanding],
  processManagers: [followPasswords, followAccounts],
  jobs: [
    purgeExpiredSessions,
    purgeIdempotencyKeys,
    sendReset,
    sendNotice,
    finishChange,
    sendEmailProof,
    sendEmailConfirmation,
    sendEmailRequestNotice,
    sendEmailChangeNotice,
    finishEmail,
    sendTwoFactorNotice,
    sendPasskeyNotice,
  ],
  // The team shows the names and addresses of its members, and who has two-factor sign-in.
  liveUpdates: [{ kinds: ['team'], events: [UserEvent, TwoFactorEvent, PasskeyEvent] }],
  routes: accountRoutes,
  settings: accountSettings,
  // Without signing in, nothing could be read either.
  essentialCategories: [
    sessionDecider.category,
    failedSignInDecider.category,
    passwordDecider.category,
    twoFactorDecider.category,
    passkeyDecider.category,
    passkeyUseDecider.category,
  ],
}
