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

type PlanOpened = Extract<BillingEvent, { type: 'TrialStarted' | 'SubscriptionActivated' }>

/** Delay of jobs that complete a request: by then it has usually finished, and they do nothing. */
const jobDelaySeconds = 10

const enqueueDelayed = (job: string, { data, metadata }: Recorded<PracticeEvent | SampleEvent>): JobRequest[] => [
  { job, data: { practiceId: data.practiceId }, startAfter: addSeconds(metadata.at, jobDelaySeconds).toISOString() },
]

const enqueueRemoval = ({ data }: Recorded<PlanOpened>): JobRequest[] => [
  { job: removeSampleJob, data: { practiceId: data.practiceId } },
]

/** Finishes seeding and removal after a crash, and removes the sample data of new subscribers, starting with the trial. */
export const samplePracticeManager = defineProcessManager<PracticeEvent | SampleEvent | PlanOpened>({
  name: 'sample-practice',
  on: {
    PracticeSetUp: (event) => enqueueDelayed(seedSampleJob, event),
    SampleRemovalRequested: (event) => enqueueDelayed(removeSampleJob, event),
    TrialStarted: enqueueRemoval,
    SubscriptionActivated: enqueueRemoval,
  },
})
