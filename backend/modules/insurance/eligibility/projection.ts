import { defineProjection } from '#projections/projection.ts'
import type { EligibilityEvent } from './events.ts'

type EligibilityRow = {
  verification_id: string
  practice_id: string
  /** Null while the insurer is being asked. */
  outcome: string | null
  code: string | null
  attempt: number
  asked_at: string
  answered_at: string | null
}

/** The last question to the clearinghouse about each verification. */
export const eligibilityProjection = defineProjection<EligibilityEvent, EligibilityRow>({
  name: 'insurance_eligibility',
  version: 1,
  columns: {
    verification_id: 'uuid',
    practice_id: 'uuid',
    outcome: 'text',
    code: 'text',
    attempt: 'int4',
    asked_at: 'timestamptz',
    answered_at: 'timestamptz',
  },
  key: 'verification_id',
  rowOf: ({ data }) => data.verificationId,
  on: {
    EligibilityAsked: (_, { data: { verificationId, practiceId, attempt, askedAt } }) => ({
      verification_id: verificationId,
      practice_id: practiceId,
      outcome: null,
      code: null,
      attempt,
      asked_at: askedAt,
      answered_at: null,
    }),
    EligibilityAnswered: (row, { data: { outcome, code }, metadata: { at } }) =>
      row && { ...row, outcome, code, answered_at: at },
  },
})
