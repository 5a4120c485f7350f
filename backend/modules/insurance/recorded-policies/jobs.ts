import { z } from 'zod'
import { InsuranceVerificationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { defineJob } from '#modules/module.ts'
import { loadRecordedInsurance } from '#modules/patients/public.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { verificationDecider } from '../decider.ts'
import { findVerificationIds } from '../queries.ts'
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
  async run({ bus, db }, { patientId, verificationId, practiceId, cause }) {
    const context = processContext(jobNames.compare, practiceId, cause)
    const ids = verificationId ? [verificationId] : await findVerificationIds(db, practiceId, patientId)
    for (const id of ids) {
      const recorded = await loadRecordedInsurance(bus, practiceId, patientId)
      const { state, revision } = await bus.load(verificationDecider, id)
      if (!recorded || !state.exists || state.practiceId !== practiceId) continue
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
  },
})
