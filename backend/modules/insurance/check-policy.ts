import type { InsuranceVerification } from '#contracts/insurance.ts'
import { isCoverageOver } from '#contracts/values/insurance.ts'

type Policy = Pick<
  InsuranceVerification,
  'policyNumber' | 'memberName' | 'memberDateOfBirth' | 'relationshipToPatient' | 'eligibilityDate' | 'expiryDate'
>
type Finding = InsuranceVerification['check']['findings'][number]

/** Numbers on insurance cards: letters and digits, in groups. */
const cardNumber = /^[\p{L}\p{N}](?:[\p{L}\p{N} ./-]{2,38})$/u

/**
 * Checks form and dates of a policy. It knows nothing of the coverage itself, about which the insurer or a person decides.
 * `today` is YYYY-MM-DD.
 */
export function checkPolicy(policy: Policy, today: string): Finding[] {
  const { policyNumber, memberName, memberDateOfBirth, relationshipToPatient, eligibilityDate, expiryDate } = policy
  const isOtherMember = relationshipToPatient !== 'self'
  const findings: (Finding | false)[] = [
    !(cardNumber.test(policyNumber) && /\p{N}/u.test(policyNumber)) && {
      field: 'policyNumber',
      message: 'This does not look like the number of a policy. Compare it with the card.',
    },
    isOtherMember && memberName === null && { field: 'memberName', message: 'Enter the name of the member.' },
    isOtherMember &&
      memberDateOfBirth === null && { field: 'memberDateOfBirth', message: 'Enter the date of birth of the member.' },
    eligibilityDate !== null &&
      eligibilityDate > today && { field: 'eligibilityDate', message: 'The coverage has not begun.' },
    isCoverageOver(expiryDate, today) && { field: 'expiryDate', message: 'The coverage is over.' },
    expiryDate === null && {
      field: 'expiryDate',
      message: 'Without an expiry date, the verification does not expire by itself.',
    },
  ]
  return findings.filter((finding) => finding !== false)
}
