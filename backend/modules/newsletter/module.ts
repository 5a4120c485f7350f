import type { Module } from '#modules/module.ts'
import { NewsletterEvent } from './events.ts'
import {
  applyEmailChange,
  applyPracticeSetup,
  applyRegistration,
  eraseAddress,
  expireRequests,
  sendConfirmation,
} from './jobs.ts'
import { followNewsletter } from './process-manager.ts'
import { newsletterSubscribers } from './projection.ts'
import { newsletterRoutes } from './routes.ts'
import { newsletterSettings } from './settings.ts'

/** The newsletter: who asked for it, confirmed it and left it. */
export const newsletter: Module = {
  name: 'newsletter',
  events: [NewsletterEvent],
  projections: [newsletterSubscribers],
  processManagers: [followNewsletter],
  jobs: [sendConfirmation, eraseAddress, applyRegistration, applyEmailChange, applyPracticeSetup, expireRequests],
  routes: newsletterRoutes,
  settings: newsletterSettings,
}
