import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { InsuranceVerificationId, PatientId, PracticeId, type UserId } from '#contracts/values/ids.ts'
import { PolicyInRecord } from '#contracts/values/insurance.ts'
import { EligibilityOutcome, type PolicyCheck } from '#contracts/values/eligibility.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import type { Services } from '#modules/module.ts'
import { ofPresentPatient, recordReader, type StoredRecord } from '#modules/records/requests/public.ts'
import { type VerificationDefinition, verificationEvents } from './events.ts'
import { checkPolicy } from './check-policy.ts'
import { maxAttempts } from './eligibility/process-manager.ts'
import { insuranceSettings } from './eligibility/settings.ts'
import { verificationsProjection } from './projection.ts'

/** The queries of verifications. */
export const verificationReader = recordReader(verificationEvents, verificationsProjection, ['insuranceProvider'])

type StoredVerification = StoredRecord<VerificationDefinition>

const EligibilityRow = z.object({
  id: z.string(),
  outcome: EligibilityOutcome.nullable(),
  code: z.string().nullable(),
  attempt: z.number(),
  askedAt: z.string(),
  answeredAt: z.string().nullable(),
})

/** Finds the last question to the insurer about each of some verifications. */
async function findEligibility(
  { db }: Pick<Services, 'db'>,
  ids: readonly string[],
  by: PolicyCheck,
): Promise<ReadonlyMap<string, InsuranceVerification['eligibility']>> {
  const rows = await db.any(sql.type(EligibilityRow)`
    select verification_id as id, outcome, code, attempt, asked_at as "askedAt", answered_at as "answeredAt"
    from read.insurance_eligibility where verification_id = any(${sql.array(ids, 'uuid')})`)
  return new Map(
    rows.map(({ id, attempt, ...answer }) => [
      id,
      {
        ...answer,
        isRetried: by === 'clearinghouse' && answer.outcome === 'retry-later' && attempt < maxAttempts,
      },
    ]),
  )
}

const ComparisonRow = z.object({ id: z.string(), policyInRecord: PolicyInRecord })

/** Finds the insurance in the record of the patient beside each of some verifications; missing where they were not compared. */
async function findPoliciesInRecord(
  db: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PolicyInRecord>> {
  const rows = await db.any(sql.type(ComparisonRow)`
    select verification_id as id, policy_in_record as "policyInRecord"
    from read.insurance_policy_comparisons where verification_id = any(${sql.array(ids, 'uuid')})`)
  return new Map(rows.map(({ id, policyInRecord }) => [id, policyInRecord]))
}

/** Returns the SQL condition for verifications `r` beside which the record of their patient has such an insurance. */
export const hasPolicyInRecord = (policyInRecord: PolicyInRecord) => sql.fragment`
  exists (select from read.insurance_policy_comparisons c
    where c.verification_id = r.id and c.policy_in_record = ${policyInRecord})`

const IdRow = z.object({ id: InsuranceVerificationId })
const PracticeRow = z.object({ practiceId: PracticeId })

/** Finds the practices with a verified policy, by one look at the index for each. */
export const findPracticesWithVerified = (db: CommonQueryMethods): Promise<readonly PracticeId[]> =>
  db.anyFirst(sql.type(PracticeRow)`
    with recursive found as (
      (select practice_id from read.insurance_verifications order by practice_id limit 1)
      union all
      select next.practice_id from found cross join lateral (
        select practice_id from read.insurance_verifications r where r.practice_id > found.practice_id
        order by practice_id limit 1) next)
    select practice_id as "practiceId" from found
    where exists (select from read.insurance_verifications r
      where r.practice_id = found.practice_id and r.status = 'verified' and not r.sample)`)

/**
 * Finds the verified policies of some patients whose insurer was not asked since an instant. One whose system did not answer
 * counts as not asked.
 */
export const findVerifiedToRecheck = (
  db: CommonQueryMethods,
  practiceId: PracticeId,
  patientIds: readonly PatientId[],
  since: Date,
): Promise<readonly InsuranceVerificationId[]> =>
  db.anyFirst(sql.type(IdRow)`
    select r.id from read.insurance_verifications r
    where r.practice_id = ${practiceId} and r.patient_id = any(${sql.array(patientIds, 'uuid')})
      and r.status = 'verified' and not r.sample and ${ofPresentPatient}
      and not exists (select from read.insurance_eligibility e where e.verification_id = r.id
        and e.asked_at > ${since.toISOString()} and e.outcome is distinct from 'retry-later')
    order by r.id`)

/** Finds the ids of all verifications of a patient. */
export const findVerificationIds = (
  db: CommonQueryMethods,
  practiceId: PracticeId,
  patientId: PatientId,
): Promise<readonly InsuranceVerificationId[]> =>
  db.anyFirst(sql.type(IdRow)`
    select id from read.insurance_verifications where patient_id = ${patientId} and practice_id = ${practiceId} order by id`)

const pageSize = 500
const NotCompared = z.object({ id: InsuranceVerificationId, practiceId: PracticeId, patientId: PatientId })

/** Finds the next verifications after an id that were not compared with the record of their patient; none of sample data. */
export const findNotCompared = (
  db: CommonQueryMethods,
  after: string | null,
): Promise<readonly z.infer<typeof NotCompared>[]> =>
  db.any(sql.type(NotCompared)`
    select r.id, r.practice_id as "practiceId", r.patient_id as "patientId" from read.insurance_verifications r
    where not r.sample and ${ofPresentPatient}
      and not exists (select from read.insurance_policy_comparisons c where c.verification_id = r.id)
      ${after === null ? sql.fragment`` : sql.fragment`and r.id > ${after}::uuid`}
    order by r.id limit ${pageSize}`)

/** Returns the way in which new policies of a practice are checked. */
export async function findPolicyCheck(services: Services, practiceId: PracticeId): Promise<PolicyCheck> {
  if (!insuranceSettings.read(services).clearinghouse) return 'stand-in'
  return (await isSwitchedOn(services, practiceId, 'eligibility')) ? 'clearinghouse' : 'on-request'
}

/** Returns verifications of one practice as they are replied. `today` is the date in the practice's time zone, YYYY-MM-DD. */
export async function toVerifications(
  services: Services,
  practiceId: PracticeId,
  records: readonly StoredVerification[],
  today: string,
): Promise<InsuranceVerification[]> {
  const { db } = services
  const by = await findPolicyCheck(services, practiceId)
  const ids = records.map(({ id }) => id)
  const eligibility = by !== 'stand-in' && ids.length > 0 ? await findEligibility(services, ids, by) : new Map()
  const policies = ids.length > 0 ? await findPoliciesInRecord(db, ids) : new Map<string, PolicyInRecord>()
  const userIds = [...new Set(records.flatMap(({ verifiedBy }) => verifiedBy ?? []))]
  const names = userIds.length > 0 ? await findUserNames(db, userIds) : new Map<string, string>()
  const toPerson = (id: UserId) => ({ id, name: names.get(id) ?? null })
  return records.map(({ firstName, lastName, status, verifiedBy, ...rest }) => ({
    ...rest,
    patientName: `${firstName} ${lastName}`.trim(),
    patient: { firstName, lastName },
    verificationStatus: status,
    verifiedBy: verifiedBy && toPerson(verifiedBy),
    check: { by, findings: checkPolicy(rest, today) },
    eligibility: eligibility.get(rest.id) ?? null,
    policyInRecord: policies.get(rest.id) ?? null,
  }))
}
