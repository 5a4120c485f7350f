import type { CommonQueryMethods } from 'slonik'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { recordReader, type StoredRecord } from '#modules/records/requests/public.ts'
import { type VerificationDefinition, verificationEvents } from './events.ts'
import { checkPolicy } from './check-policy.ts'
import { verificationsProjection } from './projection.ts'

/** The queries of verifications. */
export const verificationReader = recordReader(verificationEvents, verificationsProjection, ['insuranceProvider'])

type StoredVerification = StoredRecord<VerificationDefinition>

/** Returns verifications as they are replied. `today` is the date in the practice's time zone, YYYY-MM-DD. */
export async function toVerifications(
  db: CommonQueryMethods,
  records: readonly StoredVerification[],
  today: string,
): Promise<InsuranceVerification[]> {
  const userIds = [...new Set(records.flatMap(({ verifiedBy }) => verifiedBy ?? []))]
  const names = userIds.length > 0 ? await findUserNames(db, userIds) : new Map<string, string>()
  const toPerson = (id: UserId) => ({ id, name: names.get(id) ?? null })
  return records.map(({ firstName, lastName, status, verifiedBy, ...rest }) => ({
    ...rest,
    patientName: `${firstName} ${lastName}`.trim(),
    patient: { firstName, lastName },
    verificationStatus: status,
    verifiedBy: verifiedBy && toPerson(verifiedBy),
    check: checkPolicy(rest, today),
  }))
}
