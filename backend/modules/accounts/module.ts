import type { Module } from '#modules/module.ts'
import { rateLimitsMigration } from './attempts.ts'
import { failedSignInDecider, sessionDecider } from './decider.ts'
import { EmailEvent, FailedSignInEvent, SessionEvent, UserEvent, UsernameEvent } from './events.ts'
import { purgeExpiredSessions, purgeIdempotencyKeys } from './jobs.ts'
import { credentialsMigration } from './passwords.ts'
import { users } from './projection.ts'
import { accountRoutes } from './routes.ts'

/** Accounts: registration, sign-in and sign-out. */
export const accounts: Module = {
  name: 'accounts',
  events: [EmailEvent, UsernameEvent, UserEvent, SessionEvent, FailedSignInEvent],
  migrations: [credentialsMigration, rateLimitsMigration],
  projections: [users],
  jobs: [purgeExpiredSessions, purgeIdempotencyKeys],
  routes: accountRoutes,
  // Without signing in, nothing could be read either.
  essentialCategories: [sessionDecider.category, failedSignInDecider.category],
}
