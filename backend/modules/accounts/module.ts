import type { Module } from '#modules/module.ts'
import { attemptsMigration } from './attempts.ts'
import { EmailEvent, RefusalEvent, SessionEvent, UserEvent, UsernameEvent } from './events.ts'
import { forgetTraces } from './jobs.ts'
import { credentialsMigration } from './passwords.ts'
import { users } from './projection.ts'
import { accountRoutes } from './routes.ts'

/** Who may enter: registering, signing in and out. */
export const accounts: Module = {
  name: 'accounts',
  events: [EmailEvent, UsernameEvent, UserEvent, SessionEvent, RefusalEvent],
  migrations: [credentialsMigration, attemptsMigration],
  projections: [users],
  jobs: [forgetTraces],
  routes: accountRoutes,
}
