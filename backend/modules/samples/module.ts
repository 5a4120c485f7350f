import type { Module } from '#modules/module.ts'
import { SampleEvent, SamplePracticeRemoved, SamplePracticeSeeded } from './events.ts'
import { removeSample, seedSample } from './jobs.ts'
import { samplePracticeManager } from './process-manager.ts'
import { sampleRecords } from './projection.ts'
import { sampleRoutes } from './routes.ts'
import { planIfEligible, finishSeeding } from './seed-samples.ts'
import { sampleSettings } from './settings.ts'

/** The sample practice of demo users: initial data, so that no screen is empty, and its removal. */
export const samples: Module = {
  name: 'samples',
  events: [SampleEvent],
  projections: [sampleRecords],
  processManagers: [samplePracticeManager],
  jobs: [seedSample, removeSample],
  routes: sampleRoutes,
  settings: sampleSettings,
  liveUpdates: [
    {
      kinds: ['patients', 'appointments'],
      events: [SamplePracticeSeeded, SamplePracticeRemoved],
      includesSamples: true,
    },
    // The current user's reply says whether sample records are still being removed.
    { kinds: ['subscription'], events: [SamplePracticeRemoved], includesSamples: true },
  ],
  async afterPracticeSetUp(services, { practiceId, isNew }) {
    try {
      if (isNew) await planIfEligible(services, practiceId)
      await finishSeeding(services, practiceId)
    } catch (err) {
      // The practice exists in any case; the job retries the sample data.
      services.logger.warn({ err }, 'seeding the sample practice failed; a job will retry')
    }
  },
}
