import { z } from 'zod'
import { PracticeId, ProviderId } from '#contracts/values/ids.ts'
import { hasPlanOpened } from '#modules/billing/public.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { ensureFirstProvider } from './first-provider.ts'
import { firstProviderJob, reviewDeactivationJob } from './process-manager.ts'
import { isProviderActive } from './public.ts'
import { reviewDeactivationOf } from './undo-deactivation.ts'

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

/** Reactivates a provider who was deactivated while an appointment was being booked. */
export const reviewDeactivation = defineJob({
  name: reviewDeactivationJob,
  data: z.strictObject({ practiceId: PracticeId, providerId: ProviderId, cause: Cause }),
  retry: followUpRetry,
  async run(services, { practiceId, providerId, cause }) {
    if (await isProviderActive(services.bus, providerId)) return
    const scope = { practiceId, includeSamples: !(await hasPlanOpened(services.bus, practiceId)) }
    const context = processContext(reviewDeactivationJob, practiceId, cause)
    await reviewDeactivationOf(services, { providerId, practiceId, scope }, context)
  },
})
