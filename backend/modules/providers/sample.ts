import type { Services } from '#modules/module.ts'
import type { SampleContributor } from '#modules/samples/public.ts'
import { ensureFirstProvider } from './first-provider.ts'

/** The sample patients are seen by the owner, who stays when they go. */
export const sampleProviders: SampleContributor<Services> = {
  async seed(services, { practiceId }, { correlationId, causationId = correlationId }) {
    if (!(await ensureFirstProvider(services, practiceId, { correlationId, causationId })))
      throw new Error('The practice cannot be looked up yet')
  },
  keepOrRemove: async () => undefined,
}
