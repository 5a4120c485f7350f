import { followUp } from '#modules/kit/follow-up.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { toCause, defineProcessManager } from '#process-managers/process-manager.ts'
import type { ProviderEvent } from './events.ts'

/** The job that adds a practice's owner as its first provider. */
export const firstProviderJob = 'add-first-provider'

/** Requests the first provider when a practice is set up: its owner. */
export const addOwnerAsProvider = defineProcessManager<PracticeEvent>({
  name: 'owners-see-patients',
  on: {
    PracticeSetUp: (event) => [
      { job: firstProviderJob, data: { practiceId: event.data.practiceId, cause: toCause(event) } },
    ],
  },
})

/** The job that looks once more whether a deactivated provider was booked at the same moment. */
export const reviewDeactivationJob = 'review-deactivation'

/** Requests a second look at each deactivation, in case the request that wrote it was interrupted. */
export const reviewDeactivations = defineProcessManager<ProviderEvent>({
  name: 'review-deactivations',
  on: {
    ProviderDeactivated: (event) => {
      const { practiceId } = event.metadata
      return followUp(event, reviewDeactivationJob, { practiceId, providerId: event.data.providerId })
    },
  },
})
