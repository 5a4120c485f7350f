import { z } from 'zod'
import { job } from '#modules/module.ts'
import { ensureFirstProvider } from './first-provider.ts'
import { firstProviderJob } from './process-manager.ts'

/** Makes a practice's owner the first who sees patients; once. */
export const addFirstProvider = job({
  name: firstProviderJob,
  data: z.strictObject({ practiceId: z.uuid() }),
  async run(services, { practiceId }, { id }) {
    const head = await services.store.head()
    if (head !== null) await services.caughtUp(['PracticeSetUp', 'UserRegistered'], head)
    if (!(await ensureFirstProvider(services, practiceId, id))) throw new Error('The practice cannot be looked up yet')
  },
})
