import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { InsuranceVerificationId, PracticeId, type UserId } from '#contracts/values/ids.ts'
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

const Expiring = z.object({ id: InsuranceVerificationId, practiceId: PracticeId, expiryDate: z.string() })
export type Expiring = z.infer<typeof Expiring>

/** Finds the next verifications after an id that may have expired: their coverage is over where the date is `latestToday`. */
export const findExpiring = (
  db: CommonQueryMethods,
  latestToday: string,
  after: string | null,
  limit: number,
): Promise<readonly Expiring[]> =>
  db.any(sql.type(Expiring)`
    select id, practice_id as "practiceId", expiry_date as "expiryDate" from read.insurance_verifications
    where status in ('pending', 'verified') and expiry_date < ${latestToday}::date
      ${after === null ? sql.fragment`` : sql.fragment`and id > ${after}::uuid`}
    order by id limit ${limit}`)
