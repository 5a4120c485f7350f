import { z } from 'zod'
import { defineJob } from '#modules/module.ts'
import { waitForReadModels } from '#modules/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { ensureFirstProvider } from './first-provider.ts'
import { firstProviderJob } from './process-manager.ts'

/** Adds a practice's owner as its first provider; once. */
export const addFirstProvider = defineJob({
  name: firstProviderJob,
  // Jobs that an earlier version enqueued name no cause.
  data: z.strictObject({ practiceId: z.uuid(), cause: Cause.optional() }),
  async run(services, { practiceId, cause }, { id }) {
    await waitForReadModels(services, ['PracticeSetUp', 'UserRegistered'])
    const found = await ensureFirstProvider(services, practiceId, cause ?? { correlationId: id })
    if (!found) throw new Error('The practice cannot be looked up yet')
  },
})
