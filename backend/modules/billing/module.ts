import { Router } from '@koa/router'
import type { Module } from '#modules/module.ts'
import { customersMigration } from './customers.ts'
import { BillingEvent } from './events.ts'
import { fetchSubscription, requeueMessages, handleMessage, reconcileSubscriptions } from './jobs.ts'
import { fetchMissedUpdates } from './process-manager.ts'
import { subscriptionsProjection } from './projection.ts'
import { billingRoutes } from './routes.ts'
import { SandboxEvent } from './sandbox/events.ts'
import { deliverSandboxMessage, runSandboxBilling } from '#stand-ins/billing-sandbox/jobs.ts'
import { sendSandboxMessages } from '#stand-ins/billing-sandbox/process-manager.ts'
import { sandboxRoutes } from '#stand-ins/billing-sandbox/routes.ts'
import { messagesMigration } from './receive-message.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** What practices pay us for Everchart, and who takes the money. */
export const billing: Module = {
  name: 'billing',
  events: [BillingEvent, SandboxEvent],
  migrations: [messagesMigration, customersMigration],
  projections: [subscriptionsProjection],
  processManagers: [fetchMissedUpdates, sendSandboxMessages],
  jobs: [
    handleMessage,
    requeueMessages,
    fetchSubscription,
    reconcileSubscriptions,
    deliverSandboxMessage,
    runSandboxBilling,
  ],
  routes: (services) =>
    new Router()
      .use(billingRoutes(services).routes())
      .use(sandboxRoutes(services).routes())
      .use(webhookRoutes(services).routes()) as Router,
}
