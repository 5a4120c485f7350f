import { addDays } from 'date-fns/addDays'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { recheckDays } from '#contracts/values/eligibility.ts'
import type { VerificationStatus } from '#contracts/values/insurance.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { InsuranceEvent } from '../events.ts'
import type { EligibilityEvent } from './events.ts'

/** The local times between which the insurers of a practice are asked again; late when no instance was running at three. */
const night = { from: '03:00', until: '07:00' } as const

/** Returns the local date in a time zone if its insurers are asked again then; otherwise null. */
export function findNight(now: Date, zone: string): string | null {
  const { date, time } = toLocalDateTime(now, zone)
  return time >= night.from && time < night.until ? date : null
}

/** Returns whether an insurer can be asked about a verification in a status. */
export const canBeAskedAbout = (status: VerificationStatus): boolean => status === 'pending' || status === 'verified'

type Circumstances = {
  verification: readonly Recorded<InsuranceEvent>[]
  questions: readonly Recorded<EligibilityEvent>[]
  /** The start of the patient's next open appointment; null without one. */
  nextStart: Date | null
  now: Date
}

/**
 * Returns whether the insurer is to be asked again about a verified policy: an appointment is near, and neither was the policy
 * verified nor did the insurer answer in the days before. No answer is none: the insurer's system is asked again the next night.
 */
export function isRecheckDue({ verification, questions, nextStart, now }: Circumstances): boolean {
  const isOld = ({ metadata }: Recorded) => new Date(metadata.at) <= addDays(now, -recheckDays.apart)
  const verified = verification.findLast(({ type }) => type === 'InsuranceVerified')
  const answer = questions.findLast(
    ({ type, data }) => type === 'EligibilityAnswered' && 'outcome' in data && data.outcome !== 'retry-later',
  )
  const isNear = nextStart !== null && nextStart <= addDays(now, recheckDays.before)
  return isNear && verified !== undefined && isOld(verified) && (answer === undefined || isOld(answer))
}
