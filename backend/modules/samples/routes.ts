import Router from '@koa/router'
import { getSampleData, removeSampleData, type SampleData } from '#contracts/sample-data.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { sampleDecider, type SampleState } from './decider.ts'
import { findSampleData } from './queries.ts'
import { removeSamples } from './remove-samples.ts'
import { waitForSampleProjections } from './seed-samples.ts'

const apiStates: Record<SampleState['status'], SampleData['state']> = {
  none: 'none',
  planned: 'being-seeded',
  seeded: 'there',
  removing: 'being-removed',
  removed: 'removed',
}

/** What there is of the sample practice, and being rid of it. */
export function sampleRoutes(services: Services): Router {
  const router = new Router()

  async function sampleDataOf(practiceId: PracticeId): Promise<SampleData> {
    const { state } = await services.bus.load(sampleDecider, practiceId)
    return { state: apiStates[state.status], ...(await findSampleData(services.db, practiceId)) }
  }

  serve(router, getSampleData, ({ caller }) => sampleDataOf(caller.practiceId))

  serve(router, removeSampleData, async ({ caller: { practiceId }, query }, { commandContext: context }) => {
    // What a colleague changed a moment ago is asked about too.
    await waitForSampleProjections(services)
    const { state, edited } = await sampleDataOf(practiceId)
    if (state !== 'being-removed' && edited.length > 0 && query.edited === undefined) {
      const message = 'Some sample records were edited or are in use. Choose whether to keep them.'
      throw new ProblemError(409, 'sample-edited', message, { edited })
    }
    // Whatever is edited from here on was never asked about, and stays.
    await removeSamples(services, practiceId, query.edited ?? 'keep', context)
    return await sampleDataOf(practiceId)
  })

  return router
}
