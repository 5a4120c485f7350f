import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { defineJob } from '#modules/module.ts'
import { removeSampleJob, seedSampleJob } from './process-manager.ts'
import { removeSamples } from './remove-samples.ts'
import { sampleContext, planIfEligible, finishSeeding } from './seed-samples.ts'

/** Writes a practice's sample, as far as it is not there. */
export const seedSample = defineJob({
  name: seedSampleJob,
  data: z.strictObject({ practiceId: PracticeId }),
  async run(services, { practiceId }) {
    const head = await services.store.head()
    if (head !== null) await services.waitUntilCaughtUp(['PracticeSetUp', 'UserRegistered'], head)
    if (!(await planIfEligible(services, practiceId))) throw new Error('The practice cannot be looked up yet')
    await finishSeeding(services, practiceId)
  },
})

/** Takes a practice's sample away, as far as it is there; asked for already or not. */
export const removeSample = defineJob({
  name: removeSampleJob,
  data: z.strictObject({ practiceId: PracticeId }),
  run: (services, { practiceId }, { id }) =>
    removeSamples(services, practiceId, 'keep', sampleContext(practiceId, { correlationId: id, causationId: id })),
})
