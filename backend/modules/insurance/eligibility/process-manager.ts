import { addMinutes } from 'date-fns/addMinutes'
import type { Recorded } from '#eventstore/event.ts'
import { policyFields } from '../policy-fields.ts'
import type { InsuranceEvent } from '../events.ts'
import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { EligibilityEvent } from './events.ts'

/** The names of the jobs; see jobs.ts and recheck-job.ts. */
export const jobNames = { ask: 'ask-clearinghouse', recheck: 'recheck-coverages' } as const

/** Minutes until the next question, after the first without an answer; each pause is twice as long as the one before. */
const firstPauseMinutes = 15
/** Questions about one policy, over eight hours; then a person decides. */
export const maxAttempts = 6

type Asking = Recorded<InsuranceEvent | EligibilityEvent>

const ask = (event: Asking, attempt: number, startAfter?: string): readonly JobRequest[] => {
  if (event.metadata.sample) return []
  const { verificationId, practiceId } = event.data
  const data = { verificationId, practiceId, attempt, cause: toCause(event) }
  return [{ job: jobNames.ask, data, ...(startAfter === undefined ? {} : { startAfter }) }]
}

/** Requests that the clearinghouse is asked about new and changed policies, and again where an insurer's system did not answer. */
export const askAboutEligibility = defineProcessManager<InsuranceEvent | EligibilityEvent>({
  name: 'ask-about-eligibility',
  on: {
    InsuranceVerificationRequested: (event) => ask(event, 1),
    // A process reopens what an insurer has just answered.
    InsuranceVerificationReopened: (event) => (event.metadata.actor.kind === 'process' ? [] : ask(event, 1)),
    InsuranceVerificationChanged: (event) =>
      policyFields.some((field) => field in event.data.to) ? ask(event, 1) : [],
    EligibilityAnswered(event) {
      const { outcome, attempt } = event.data
      if (outcome !== 'retry-later' || attempt >= maxAttempts) return []
      const pause = firstPauseMinutes * 2 ** (attempt - 1)
      return ask(event, attempt + 1, addMinutes(event.metadata.at, pause).toISOString())
    },
  },
})
