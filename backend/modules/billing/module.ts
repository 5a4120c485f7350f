import { Router } from '@koa/router'
import type { Module } from '#modules/module.ts'
import { customersMigration } from './customers.ts'
import { BillingEvent } from './events.ts'
import { fetchSubscription, requeueMessages, handleMessage, reconcileSubscriptions } from './jobs.ts'
import { fetchMissedUpdates } from './process-manager.ts'
import { subscriptionsProjection } from './projection.ts'
import { messagesMigration } from './receive-message.ts'
import { billingRoutes } from './routes.ts'
import { SandboxEvent } from './sandbox/events.ts'
import { billingSettings } from './settings.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** The subscriptions of practices to Everchart, and the payment provider. */
export const billing: Module = {
  name: 'billing',
  // The sandbox's events are declared even when it is not loaded: an installation that used it before must still read them.
  events: [BillingEvent, SandboxEvent],
  migrations: [messagesMigration, customersMigration],
  projections: [subscriptionsProjection],
  processManagers: [fetchMissedUpdates],
  jobs: [handleMessage, requeueMessages, fetchSubscription, reconcileSubscriptions],
  settings: billingSettings,
  liveUpdates: [{ kinds: ['subscription'], events: [BillingEvent] }],
  routes: (services) =>
    new Router().use(billingRoutes(services).routes()).use(webhookRoutes(services).routes()) as Router,
}
