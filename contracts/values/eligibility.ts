import { z } from 'zod'

/**
 * The way in which new policies are checked: the insurer is asked by itself (`clearinghouse`), or when a user asks because the
 * practice has switched the other off (`on-request`), or a person decides because no clearinghouse is connected (`stand-in`).
 */
export const PolicyCheck = z.enum(['clearinghouse', 'on-request', 'stand-in'])
export type PolicyCheck = z.infer<typeof PolicyCheck>

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

/**
 * Days before an appointment in which an insurer is asked again about a verified policy, and the days that its last answer and the
 * verification have to be old then.
 */
export const recheckDays = { before: 3, apart: 30 } as const
