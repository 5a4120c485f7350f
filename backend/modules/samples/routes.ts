import Router from '@koa/router'
import { getSampleData, removeSampleData, type SampleData } from '#contracts/sample-data.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { waitWithinRequest } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { sampleDecider } from './decider.ts'
import { findSampleData } from './queries.ts'
import { removeSamples } from './remove-samples.ts'
import { ignoreReadModelsBehind, waitForSampleProjections } from './seed-samples.ts'

/** Endpoints that show and remove the sample data of a practice. */
export function sampleRoutes(services: Services): Router {
  const router = new Router()

  async function loadSampleData(practiceId: PracticeId): Promise<SampleData> {
    const { state } = await services.bus.load(sampleDecider, practiceId)
    const { status } = state
    return {
      state: status === 'planned' ? 'seeding' : status,
      ...(await findSampleData(services.db, practiceId)),
    }
  }

  serve(router, getSampleData, ({ caller }) => loadSampleData(caller.practiceId))

  serve(router, removeSampleData, async ({ caller: { practiceId }, query }, { commandContext }) => {
    // Includes edits that another user made a moment ago. Those that are still missing are kept: see below.
    await waitForSampleProjections(services).catch(ignoreReadModelsBehind)
    const { state, edited } = await loadSampleData(practiceId)
    if (state !== 'removing' && edited.length > 0 && query.edited === undefined) {
      const message = 'Some sample records were edited or are in use. Choose whether to keep them.'
      throw new ProblemError(409, 'sample-edited', message, { edited })
    }
    // Without a choice there was nothing to ask about; whatever is edited from here on is kept.
    // While the read models are behind, and on a slow machine, the reply is `removing`, and the job completes it.
    const removing = removeSamples(services, practiceId, query.edited ?? 'keep', commandContext)
    await waitWithinRequest(removing.catch(ignoreReadModelsBehind))
    return await loadSampleData(practiceId)
  })

  return router
}
