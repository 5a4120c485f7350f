import type { Module } from '#modules/module.ts'
import { IntegrationTested } from './events.ts'
import { integrationRoutes } from './routes.ts'

/** The state of the services outside of Everchart, and their tests. */
export const integrations: Module = {
  name: 'integrations',
  events: [IntegrationTested],
  routes: integrationRoutes,
}
