import type { PracticeEvent } from '#modules/practices/events.ts'
import { toCause, defineProcessManager } from '#process-managers/process-manager.ts'

/** The job that makes a practice's owner the first who sees patients. */
export const firstProviderJob = 'add-first-provider'

/** Whoever sets up a practice sees patients there. */
export const addOwnerAsProvider = defineProcessManager<PracticeEvent>({
  name: 'owners-see-patients',
  on: {
    PracticeSetUp: (event) => [
      { job: firstProviderJob, data: { practiceId: event.data.practiceId, cause: toCause(event) } },
    ],
  },
})
