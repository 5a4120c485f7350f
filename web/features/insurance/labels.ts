import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { Relationship, VerificationStatus } from '#contracts/values/insurance.ts'
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

/** Describes an entry in the history of a verification; `isFirst` for its request. */
export function describeHistoryEntry({ status, changedFields }: RecordHistoryEntry, isFirst: boolean): string {
  if (isFirst) return 'Verification requested'
  if (status === 'pending') return 'To be verified again'
  if (status !== null) return statusLabels[status as VerificationStatus] ?? status
  return `Changed: ${changedFields.map((field) => fieldLabels[field as VerificationField] ?? field).join(', ')}`
}
