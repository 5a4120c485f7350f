import type { PracticeEvent } from '#modules/practices/events.ts'
import { toCause, defineProcessManager } from '#process-managers/process-manager.ts'

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
