import type { Module } from '#modules/module.ts'
import { SampleEvent } from './events.ts'
import { removeSample, seedSample } from './jobs.ts'
import { samplePracticeManager } from './process-manager.ts'
import { sampleRecords } from './projection.ts'
import { sampleRoutes } from './routes.ts'
import { planIfEligible, finishSeeding } from './seed-samples.ts'

/** The sample practice of demo users: what they begin with, so that nothing is empty, and how they are rid of it. */
export const samples: Module = {
  name: 'samples',
  events: [SampleEvent],
  projections: [sampleRecords],
  processManagers: [samplePracticeManager],
  jobs: [seedSample, removeSample],
  routes: sampleRoutes,
  async afterPracticeSetUp(services, { practiceId, isNew }) {
    try {
      if (isNew) await planIfEligible(services, practiceId)
      await finishSeeding(services, practiceId)
    } catch (err) {
      // The practice is there and stays; the job brings the rest.
      services.logger.warn({ err }, 'a sample practice is late')
    }
  },
}
