import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { defineJob } from '#modules/module.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { removeSampleJob, seedSampleJob } from './process-manager.ts'
import { removeSamples } from './remove-samples.ts'
import { sampleContext, planIfEligible, finishSeeding } from './seed-samples.ts'

/** Seeds a practice's sample data, as far as it is missing. */
export const seedSample = defineJob({
  name: seedSampleJob,
  data: z.strictObject({ practiceId: PracticeId }),
  async run(services, { practiceId }) {
    await waitForReadModels(services, ['PracticeSetUp', 'UserRegistered'])
    if (!(await planIfEligible(services, practiceId))) throw new Error('The practice is not in the read model yet')
    await finishSeeding(services, practiceId)
  },
})

/** Removes a practice's sample data, whether or not the removal was already requested. */
export const removeSample = defineJob({
  name: removeSampleJob,
  data: z.strictObject({ practiceId: PracticeId }),
  run: (services, { practiceId }, { id }) =>
    removeSamples(services, practiceId, 'keep', sampleContext(practiceId, { correlationId: id, causationId: id })),
})
