import { z } from 'zod'
import { InsuranceVerificationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { loadRecordedInsurance } from '#modules/patients/public.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { verificationDecider } from '../decider.ts'
import { findNotCompared, findVerificationIds } from '../queries.ts'
import { comparePolicies } from './compare-policies.ts'
import { policyComparisonDecider } from './decider.ts'
import { jobNames } from './process-manager.ts'

/**
 * Compares a verification, or all of a patient, with the insurance in the record of the patient. Run again, it adds nothing. Does
 * nothing for a patient who was removed.
 */
export const compareWithRecord = defineJob({
  name: jobNames.compare,
  data: z.strictObject({
    patientId: PatientId,
    verificationId: InsuranceVerificationId.nullable(),
    practiceId: PracticeId,
    cause: Cause,
  }),
  retry: { limit: 5, maxDelaySeconds: 60 },
  async run(services, { patientId, verificationId, practiceId, cause }) {
    const context = processContext(jobNames.compare, practiceId, cause)
    const ids = verificationId ? [verificationId] : await findVerificationIds(services.db, practiceId, patientId)
    for (const id of ids) await compare(services, { id, practiceId, patientId }, context)
  },
})

/** Compares the verifications that are older than the comparisons, or whose job was given up. Finds nothing later. */
export const compareMissing = defineJob({
  name: 'compare-missing-policies',
  data: z.strictObject({}),
  schedule: '23 * * * *',
  run: (services, _, { id, signal }) => compareAllMissing(services, id, signal),
})

/** Compares all verifications that were not compared, page by page. Throws when `signal` is aborted. */
export async function compareAllMissing(services: Services, jobId: string, signal: AbortSignal): Promise<void> {
  const cause = { correlationId: jobId, causationId: jobId }
  for (let after: string | null = null; ;) {
    const page: readonly Verification[] = await findNotCompared(services.db, after)
    for (const verification of page) {
      signal.throwIfAborted()
      await compare(services, verification, processContext(jobNames.compare, verification.practiceId, cause))
    }
    after = page.at(-1)?.id ?? null
    if (after === null) return
  }
}

type Verification = { id: InsuranceVerificationId; practiceId: PracticeId; patientId: PatientId }

async function compare(
  { bus }: Pick<Services, 'bus'>,
  { id, practiceId, patientId }: Verification,
  context: CommandContext,
): Promise<void> {
  const recorded = await loadRecordedInsurance(bus, practiceId, patientId)
  const { state, revision } = await bus.load(verificationDecider, id)
  if (!recorded || !state.exists || state.practiceId !== practiceId) return
  const comparison = {
    verificationId: id,
    practiceId,
    patientId,
    policyInRecord: comparePolicies(recorded.insuranceInfo, state.fields),
    patientRevision: recorded.revision,
    verificationRevision: Number(revision),
  }
  await bus.execute(policyComparisonDecider, id, { type: 'Compare', comparison }, context)
}
