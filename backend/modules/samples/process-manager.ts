import { addSeconds } from 'date-fns/addSeconds'
import type { Recorded } from '#eventstore/event.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { SampleEvent } from './events.ts'

/** The job that seeds a practice's sample data if the set-up request did not finish. */
export const seedSampleJob = 'seed-sample-practice'

/** The job that removes a practice's sample data; records in use are kept. */
export const removeSampleJob = 'remove-sample-practice'

type SubscriptionStart = Extract<BillingEvent, { type: 'TrialStarted' | 'SubscriptionActivated' }>

/** Delay of the jobs: by then the request that caused them has usually finished, and they do nothing. */
const jobDelaySeconds = 10

const enqueueDelayed = (
  job: string,
  { data, metadata }: Recorded<PracticeEvent | SampleEvent | SubscriptionStart>,
): JobRequest[] => [
  { job, data: { practiceId: data.practiceId }, startAfter: addSeconds(metadata.at, jobDelaySeconds).toISOString() },
]

/** Finishes seeding and removal after a crash, and removes the sample data of new subscribers, starting with the trial. */
export const samplePracticeManager = defineProcessManager<PracticeEvent | SampleEvent | SubscriptionStart>({
  name: 'sample-practice',
  on: {
    PracticeSetUp: (event) => enqueueDelayed(seedSampleJob, event),
    SampleRemovalRequested: (event) => enqueueDelayed(removeSampleJob, event),
    TrialStarted: (event) => enqueueDelayed(removeSampleJob, event),
    SubscriptionActivated: (event) => enqueueDelayed(removeSampleJob, event),
  },
})
