import type { Module } from '#modules/module.ts'
import { SampleEvent } from './events.ts'
import { removeSample, seedSample } from './jobs.ts'
import { carryOnSamples } from './process-manager.ts'
import { sampleRecords } from './projection.ts'
import { sampleRoutes } from './routes.ts'
import { planOnce, seedPlanned } from './seeding.ts'

/** The sample practice of demo users: what they begin with, so that nothing is empty, and how they are rid of it. */
export const samples: Module = {
  name: 'samples',
  events: [SampleEvent],
  projections: [sampleRecords],
  processManagers: [carryOnSamples],
  jobs: [seedSample, removeSample],
  routes: sampleRoutes,
  async welcome(services, { practiceId, isNew }) {
    try {
      if (isNew) await planOnce(services, practiceId)
      await seedPlanned(services, practiceId)
    } catch (err) {
      // The practice is there and stays; the job brings the rest.
      services.logger.warn({ err }, 'a sample practice is late')
    }
  },
}
