import type { Recorded } from '#eventstore/event.ts'
import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { FormEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = { analyze: 'analyze-form' } as const

type AnalysisWanted = Recorded<Extract<FormEvent, { type: 'FormSubmitted' | 'FormAnalysisRequested' }>>

const analyze = (event: AnalysisWanted): readonly JobRequest[] => {
  const { formId, practiceId, version } = event.data
  const isRequested = event.type === 'FormAnalysisRequested'
  return [{ job: jobNames.analyze, data: { formId, practiceId, version, isRequested, cause: toCause(event) } }]
}

/** Requests the analysis of forms that were handed in, and of those that a user asks for. */
export const analyzeForms = defineProcessManager<FormEvent>({
  name: 'analyze-forms',
  on: {
    // The forms of a sample practice are seeded with their analysis.
    FormSubmitted: (event) => (event.metadata.sample ? [] : analyze(event)),
    FormAnalysisRequested: analyze,
  },
})
