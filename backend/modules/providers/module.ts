import type { Module } from '#modules/module.ts'
import { ProviderEvent } from './events.ts'
import { addFirstProvider, reviewDeactivation } from './jobs.ts'
import { addOwnerAsProvider, reviewDeactivations } from './process-manager.ts'
import { invitedProvidersProjection, providersProjection } from './projection.ts'
import { providerRoutes } from './routes.ts'
import { sampleProviders } from './sample.ts'

/** Providers: the people who see patients, with or without an account. */
export const providers: Module = {
  name: 'providers',
  events: [ProviderEvent],
  projections: [providersProjection, invitedProvidersProjection],
  processManagers: [addOwnerAsProvider, reviewDeactivations],
  jobs: [addFirstProvider, reviewDeactivation],
  sample: sampleProviders,
  liveUpdates: [{ kinds: ['providers'], events: [ProviderEvent] }],
  routes: providerRoutes,
}
