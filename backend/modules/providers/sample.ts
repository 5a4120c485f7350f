import type { Services } from '#modules/module.ts'
import type { SampleContributor } from '#modules/samples/public.ts'
import { ensureFirstProvider } from './first-provider.ts'

/** Adds the owner, who sees the sample patients and stays when they are removed. */
export const sampleProviders: SampleContributor<Services> = {
  async seed(services, { practiceId }, { correlationId, causationId = correlationId }) {
    if (!(await ensureFirstProvider(services, practiceId, { correlationId, causationId })))
      throw new Error('The practice cannot be looked up yet')
  },
  keepOrRemove: async () => undefined,
}
