import { Router } from '@koa/router'
import type { Module } from '#modules/module.ts'
import { customersMigration } from './customers.ts'
import { BillingEvent } from './events.ts'
import { askProvider, handleLeftMessages, handleMessage, lookAtEverySubscription } from './jobs.ts'
import { healGaps } from './process-manager.ts'
import { subscriptions } from './projection.ts'
import { billingRoutes } from './routes.ts'
import { SandboxEvent } from './sandbox/events.ts'
import { deliverSandboxMessage, renewInSandbox } from './sandbox/jobs.ts'
import { tellOfSandbox } from './sandbox/process-manager.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { messagesMigration } from './webhook.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** What practices pay us for Everchart, and who takes the money. */
export const billing: Module = {
  name: 'billing',
  events: [BillingEvent, SandboxEvent],
  migrations: [messagesMigration, customersMigration],
  projections: [subscriptions],
  processManagers: [healGaps, tellOfSandbox],
  jobs: [
    handleMessage,
    handleLeftMessages,
    askProvider,
    lookAtEverySubscription,
    deliverSandboxMessage,
    renewInSandbox,
  ],
  routes: (services) =>
    new Router()
      .use(billingRoutes(services).routes())
      .use(sandboxRoutes(services).routes())
      .use(webhookRoutes(services).routes()) as Router,
}
