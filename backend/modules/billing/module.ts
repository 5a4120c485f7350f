import { Router } from '@koa/router'
import type { Module } from '#modules/module.ts'
import { customersMigration } from './customers.ts'
import { BillingEvent, SubscriptionActivated, TrialStarted } from './events.ts'
import * as jobs from './jobs.ts'
import { fetchMissedUpdates, followContacts } from './process-manager.ts'
import { subscriptionsProjection } from './projection.ts'
import { billingRoutes } from './routes.ts'
import { SandboxEvent } from './sandbox/events.ts'
import { billingSettings } from './settings.ts'
import { enqueuedMessagesMigration, messagesMigration, sealedMessagesMigration } from './stored-messages.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** The subscriptions of practices to Everchart, and the payment provider. */
export const billing: Module = {
  name: 'billing',
  // The sandbox's events are declared even when it is not loaded: an installation that used it before must still read them.
  events: [BillingEvent, SandboxEvent],
  migrations: [messagesMigration, customersMigration, sealedMessagesMigration, enqueuedMessagesMigration],
  projections: [subscriptionsProjection],
  processManagers: [fetchMissedUpdates, followContacts],
  jobs: [
    jobs.handleMessage,
    jobs.requeueMessages,
    jobs.purgeMessages,
    jobs.fetchSubscription,
    jobs.reconcileSubscriptions,
    jobs.endSandboxSubscriptions,
    jobs.updateContact,
  ],
  settings: billingSettings,
  liveUpdates: [
    { kinds: ['subscription'], events: [BillingEvent] },
    { kinds: ['patients', 'appointments'], events: [TrialStarted, SubscriptionActivated] },
  ],
  routes: (services) =>
    new Router().use(billingRoutes(services).routes()).use(webhookRoutes(services).routes()) as Router,
}
