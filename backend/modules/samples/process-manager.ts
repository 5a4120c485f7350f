import { addSeconds } from 'date-fns/addSeconds'
import type { Recorded } from '#eventstore/event.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { SampleEvent } from './events.ts'

/** The job that writes a practice's sample, should whoever set the practice up not have come that far. */
export const seedSampleJob = 'seed-sample-practice'

/** The job that takes a practice's sample away, whoever wants it gone. Nothing that somebody worked on goes with it. */
export const removeSampleJob = 'remove-sample-practice'

/** A practice begins to be a subscriber. */
type SubscriptionStart = Extract<BillingEvent, { type: 'TrialStarted' | 'SubscriptionActivated' }>

/** By then the request that began it is usually at its end, and there is nothing left to do. */
const jobDelaySeconds = 10

const enqueueDelayed = (
  job: string,
  { data, metadata }: Recorded<PracticeEvent | SampleEvent | SubscriptionStart>,
): JobRequest[] => [
  { job, data: { practiceId: data.practiceId }, startAfter: addSeconds(metadata.at, jobDelaySeconds).toISOString() },
]

/** Brings to its end what was begun; and whoever subscribes works with what is theirs alone, from the trial on. */
export const samplePracticeManager = defineProcessManager<PracticeEvent | SampleEvent | SubscriptionStart>({
  name: 'carry-on-samples',
  on: {
    PracticeSetUp: (event) => enqueueDelayed(seedSampleJob, event),
    SampleRemovalAsked: (event) => enqueueDelayed(removeSampleJob, event),
    TrialStarted: (event) => enqueueDelayed(removeSampleJob, event),
    SubscriptionActivated: (event) => enqueueDelayed(removeSampleJob, event),
  },
})
