import type { PolicyInRecord } from '#contracts/values/insurance.ts'

type Recorded = { provider: string; policyNumber: string | null }
type Verified = { insuranceProvider: string; policyNumber: string }

/** Returns the letters and digits of a text: people type numbers with different spaces and hyphens. */
const toKey = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, '')

/**
 * Compares the insurance in the record of a patient with the policy of a verification. The number decides, because the same insurer
 * is spelled in many ways; where the record has none, the insurer does.
 */
export function comparePolicies(recorded: Recorded | null, verified: Verified): PolicyInRecord {
  if (recorded === null) return 'none'
  const number = toKey(recorded.policyNumber ?? '')
  const isSame = number
    ? number === toKey(verified.policyNumber)
    : toKey(recorded.provider) === toKey(verified.insuranceProvider)
  return isSame ? 'same' : 'other'
}
