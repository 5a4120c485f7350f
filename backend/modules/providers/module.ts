import type { Module } from '#modules/module.ts'
import { ProviderEvent } from './events.ts'
import { addFirstProvider } from './jobs.ts'
import { addOwnerAsProvider } from './process-manager.ts'
import { providersProjection } from './projection.ts'
import { providerRoutes } from './routes.ts'
import { sampleProviders } from './sample.ts'

/** Providers: the people who see patients, with or without an account. */
export const providers: Module = {
  name: 'providers',
  events: [ProviderEvent],
  projections: [providersProjection],
  processManagers: [addOwnerAsProvider],
  jobs: [addFirstProvider],
  sample: sampleProviders,
  liveUpdates: [{ kinds: ['providers'], events: [ProviderEvent] }],
  routes: providerRoutes,
}
