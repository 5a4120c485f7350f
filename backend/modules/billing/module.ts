import { Router } from '@koa/router'
import type { Module } from '#modules/module.ts'
import { customersMigration } from './customers.ts'
import { BillingEvent, SubscriptionActivated, TrialStarted } from './events.ts'
import { fetchSubscription, requeueMessages, handleMessage, purgeMessages, reconcileSubscriptions } from './jobs.ts'
import { fetchMissedUpdates } from './process-manager.ts'
import { subscriptionsProjection } from './projection.ts'
import { billingRoutes } from './routes.ts'
import { SandboxEvent } from './sandbox/events.ts'
import { billingSettings } from './settings.ts'
import { messagesMigration, sealedMessagesMigration } from './stored-messages.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** The subscriptions of practices to Everchart, and the payment provider. */
export const billing: Module = {
  name: 'billing',
  // The sandbox's events are declared even when it is not loaded: an installation that used it before must still read them.
  events: [BillingEvent, SandboxEvent],
  migrations: [messagesMigration, customersMigration, sealedMessagesMigration],
  projections: [subscriptionsProjection],
  processManagers: [fetchMissedUpdates],
  jobs: [handleMessage, requeueMessages, purgeMessages, fetchSubscription, reconcileSubscriptions],
  settings: billingSettings,
  liveUpdates: [
    { kinds: ['subscription'], events: [BillingEvent] },
    { kinds: ['patients', 'appointments'], events: [TrialStarted, SubscriptionActivated] },
  ],
  routes: (services) =>
    new Router().use(billingRoutes(services).routes()).use(webhookRoutes(services).routes()) as Router,
}
