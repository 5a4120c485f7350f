import type { Patient, PatientChange } from '#contracts/patients.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import { notFound } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '../module.ts'
import { throwChangeConflict } from './conflict.ts'
import { patientDecider } from './decider.ts'
import { normalizeFields } from './normalize-fields.ts'
import { readsClinical, replyWithPatient, throwAsProblem } from './reply.ts'

/**
 * Changes a patient's record. Throws 404 before anything else for a patient of another practice, so that no other reply
 * shows that the record exists, and 409 `changed-meanwhile` with the conflicting fields when `revision` is stale. The
 * stream is read once.
 */
export async function changePatientRecord(
  services: Services,
  caller: Member,
  patientId: PatientId,
  { revision, ...sent }: PatientChange,
  context: CommandContext,
): Promise<Patient> {
  const { bus, db } = services
  const { practiceId } = caller
  const loaded = await bus.load(patientDecider, patientId)
  if (loaded.state.status !== 'registered' || loaded.state.practiceId !== practiceId) throw notFound('patient')
  const { fields, today } = normalizeFields(services, caller, sent)
  const command = { type: 'Change', practiceId, change: fields, today } as const
  const expected = revision === undefined ? {} : { expectedRevision: BigInt(revision) }
  try {
    const result = await bus.execute(patientDecider, patientId, command, context, { ...expected, loaded })
    return await replyWithPatient(services, caller, patientId, result)
  } catch (error) {
    if (!isConflict(error, patientDecider)) return throwAsProblem(error)
    const { state, conflictingEvents } = error
    if (state.status !== 'registered') throw notFound('patient')
    return await throwChangeConflict(db, conflictingEvents, state.patient, readsClinical(caller))
  }
}
