import { emptyPatientFields, type NewPatient, type Patient, type PatientFields } from '#contracts/patients.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { isFirstAttempt, isRepeatedRequest } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '../module.ts'
import { patientDecider } from './decider.ts'
import { emailKey, fullNameKey } from './name-keys.ts'
import { normalizeFields } from './normalize-fields.ts'
import { getPatientLimit, measurePlanCapacity, planLimitLock, requirePlanCapacity } from './plan-limit.ts'
import { findDuplicates } from './queries.ts'
import { replyWithNewPatient, replyWithPatient, throwAsProblem } from './reply.ts'

const maxConcurrentLocks = 8

export type RegisterPatient = (caller: Member, sent: NewPatient, context: CommandContext) => Promise<Patient>

/**
 * Registers a patient. Throws 409 `possible-duplicate` with the candidates if `allowDuplicate` is false, and 402
 * `plan-limit` when the plan has no room. Two registrations of the same person, and all registrations of a practice whose
 * plan has a limit, run one after the other, so that each sees the patient that the other registered.
 */
export function createRegisterPatient(services: Services): RegisterPatient {
  const { bus, clock, db, pool, newId } = services
  const withLocks = withAdvisoryLocks(pool, maxConcurrentLocks)

  return async (caller, { allowDuplicate = true, ...sent }, context) => {
    const { practiceId } = caller
    const { fields, today } = normalizeFields(services, caller, sent)
    const limit = getPatientLimit(caller.lastPlan)
    const patient: PatientFields = { ...emptyPatientFields, ...fields }
    const patientId = PatientId.parse(newId('patient'))

    async function register(): Promise<Patient> {
      const command = { type: 'Register', patientId, practiceId, patient, today } as const
      const at = clock().toISOString()
      // A repetition reads the stream first: the patient may have been registered, and erased.
      const isNew = isFirstAttempt()
      const result = await bus
        .executeAll(patientDecider, patientId, [{ command, at }], context, { isNew })
        .catch(throwAsProblem)
      if (isNew && result.revision === 0n) return replyWithNewPatient(caller, result, at)
      return await replyWithPatient(services, caller, patientId, result)
    }

    // Otherwise the patient would be found as a duplicate of themselves.
    if (isRepeatedRequest() && (await bus.load(patientDecider, patientId)).history.length > 0) return await register()
    if (allowDuplicate && !limit) return await register()
    const limitLocks = limit ? [planLimitLock(practiceId)] : []
    return await withLocks([...limitLocks, ...identityLocks(practiceId, patient)], async () => {
      if (limit) requirePlanCapacity(await measurePlanCapacity(db, practiceId, limit))
      const candidates = allowDuplicate ? [] : await findDuplicates(db, practiceId, patient)
      if (candidates.length === 0) return await register()
      const message = 'This patient may be registered already.'
      throw new ProblemError(409, 'possible-duplicate', message, { candidates })
    })
  }
}

/** Returns the lock names that two registrations of one person share, whatever their other fields are. */
const identityLocks = (practiceId: string, { firstName, lastName, dateOfBirth, phone, email }: PatientFields) => [
  `patient:${practiceId}:${fullNameKey(firstName, lastName)}:${dateOfBirth ?? ''}`,
  ...(phone ? [`patient:${practiceId}:${phone}`] : []),
  ...(email ? [`patient:${practiceId}:${emailKey(email)}`] : []),
]
