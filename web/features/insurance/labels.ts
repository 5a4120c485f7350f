import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { PolicyInRecord, Relationship, VerificationStatus } from '#contracts/values/insurance.ts'
import type { RecordHistoryEntry } from '#contracts/values/records.ts'
import { formatDate, formatTimeAgo } from '#web/ui/dates.ts'
import { formatCount } from '#web/ui/format.ts'

/** Display names of the statuses, in the order of the cards. */
export const statusLabels: Record<VerificationStatus, string> = {
  verified: 'Verified',
  pending: 'Pending',
  denied: 'Denied',
  expired: 'Expired',
}

/** Display names of what the record of the patient has beside a verification. */
export const policyInRecordLabels: Record<PolicyInRecord, string> = {
  other: 'Other in record',
  same: 'Same in record',
  none: 'None in record',
}

/** Display names of the relationships of a member to the patient. */
export const relationshipLabels: Record<Relationship, string> = {
  self: 'Self',
  spouse: 'Spouse',
  parent: 'Parent',
  child: 'Child',
  other: 'Other',
}

/** Labels of the fields that can be edited. */
export const fieldLabels = {
  insuranceProvider: 'Insurance provider',
  policyNumber: 'Policy number',
  groupNumber: 'Group number',
  memberName: 'Member name',
  memberDateOfBirth: 'Member date of birth',
  relationshipToPatient: 'Relationship to patient',
  eligibilityDate: 'Eligible from',
  expiryDate: 'Expiry date',
  notes: 'Notes',
} as const satisfies Partial<Record<keyof InsuranceVerification, string>>

/** A field that can be edited. */
export type VerificationField = keyof typeof fieldLabels

/** Formats a verification with its patient, which distinguishes policies of the same provider. */
export const formatVerificationName = ({
  insuranceProvider,
  patientName,
}: Pick<InsuranceVerification, 'insuranceProvider' | 'patientName'>): string => `${insuranceProvider} of ${patientName}`

/** The last days of a coverage, during which its end is pointed out. */
const endingDays = 30
const dayMs = 86_400_000

type Term = { text: string; isEnding: boolean }

/** Describes until when a coverage lasts, or why it is not known. `today` is YYYY-MM-DD. */
export function describeTerm(
  {
    verificationStatus,
    expiryDate,
    createdAt,
  }: Pick<InsuranceVerification, 'verificationStatus' | 'expiryDate' | 'createdAt'>,
  today: string,
  now: Date,
): Term {
  if (verificationStatus === 'pending') return { text: `requested ${formatTimeAgo(createdAt, now)}`, isEnding: false }
  if (expiryDate === null) return { text: 'no expiry date', isEnding: false }
  const daysLeft = Math.round((Date.parse(expiryDate) - Date.parse(today)) / dayMs)
  if (daysLeft < 0) return { text: `ended ${formatDate(expiryDate)}`, isEnding: false }
  if (verificationStatus !== 'verified' || daysLeft > endingDays)
    return { text: `until ${formatDate(expiryDate)}`, isEnding: false }
  return { text: daysLeft === 0 ? 'ends today' : `ends in ${formatCount(daysLeft, 'day')}`, isEnding: true }
}

/** The entries of a card to compare, by the reason why an insurer does not find the member. */
const correctable: Readonly<Record<string, string>> = {
  'AAA 58': 'the date of birth',
  'AAA 71': 'the date of birth',
  'AAA 72': 'the policy number',
  'AAA 73': 'the name',
}

type InsurerWord = { title: string; text: string; tone: 'success' | 'warning' | 'error' | 'neutral' }

/** Describes what the insurer said of a verification, that it is being asked, or that it is asked on request only. */
export function describeInsurer({
  eligibility,
  check,
  verificationStatus,
}: Pick<InsuranceVerification, 'eligibility' | 'check' | 'verificationStatus'>): InsurerWord {
  const { outcome = null, code = null, isRetried = false } = eligibility ?? {}
  if (eligibility === null && verificationStatus === 'verified')
    return {
      tone: 'neutral',
      title: 'The insurer was not asked',
      text: 'A person verified the coverage. The insurer can say whether it is still active.',
    }
  if (eligibility === null && check.by === 'on-request')
    return {
      tone: 'neutral',
      title: 'The insurer was not asked',
      text: 'Your practice has switched off that insurers are asked by themselves. Ask now, or verify the coverage yourself.',
    }
  const reason = code === null ? '' : ` (${code})`
  switch (outcome) {
    case null:
      return { tone: 'neutral', title: 'The insurer is being asked', text: 'The answer appears here by itself.' }
    case 'active':
      return { tone: 'success', title: 'The insurer confirms the coverage', text: 'Its dates are those below.' }
    case 'inactive':
      return {
        tone: 'error',
        title: 'The insurer says that the policy is not active',
        text: 'Ask the patient for another one.',
      }
    case 'not-covered':
      return {
        tone: 'error',
        title: 'Not covered on the day of the appointment',
        text: 'The insurer names the dates below, or excludes the service.',
      }
    case 'retry-later':
      return {
        tone: 'warning',
        title: 'The insurer does not answer right now',
        text: isRetried
          ? `Everchart asks again by itself${reason}.`
          : check.by === 'on-request'
            ? `Ask again later, or call the insurer${reason}.`
            : `Everchart has asked six times${reason}. Ask again, or call the insurer.`,
      }
    case 'correct-data':
      return {
        tone: 'warning',
        title: 'The insurer does not find this member',
        text: `Compare ${correctable[code ?? ''] ?? 'policy number, name and date of birth'} with the card. Everchart asks again after a change${reason}.`,
      }
    case 'enrolment':
      return {
        tone: 'warning',
        title: 'The insurer does not answer this practice',
        text: `The practice may have to enroll with the insurer or the clearinghouse${reason}. Until then a person verifies the coverage.`,
      }
    case 'no-answer':
      return {
        tone: 'warning',
        title: 'The answer says nothing about the coverage',
        text: `Call the insurer, and mark the verification${reason}.`,
      }
  }
}

/** Describes an entry in the history of a verification; `isFirst` for its request. */
export function describeHistoryEntry({ status, changedFields }: RecordHistoryEntry, isFirst: boolean): string {
  if (isFirst) return 'Verification requested'
  if (status === 'pending') return 'To be verified again'
  if (status !== null) return statusLabels[status as VerificationStatus] ?? status
  return `Changed: ${changedFields.map((field) => fieldLabels[field as VerificationField] ?? field).join(', ')}`
}
