import { z } from 'zod'

/**
 * The words of an insurer about a coverage on a date. `retry-later`: its system did not answer, and is asked again. `correct-data`: it
 * does not find the member as entered. `enrolment`: it does not answer this practice. `no-answer`: its reply decides nothing.
 */
export const EligibilityOutcome = z.enum([
  'active',
  'inactive',
  'not-covered',
  'retry-later',
  'correct-data',
  'enrolment',
  'no-answer',
])
export type EligibilityOutcome = z.infer<typeof EligibilityOutcome>
