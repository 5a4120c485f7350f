import { clinicalFields, type Patient, type PatientFields } from '#contracts/patients.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import type { CommandResult } from '#eventstore/command-bus.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { invalidRequest, notFound } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { currentRow } from '#modules/kit/current-row.ts'
import type { Services } from '../module.ts'
import type { PatientState } from './decider.ts'
import type { PatientEvent } from './events.ts'
import { formatNationalPhone } from './phone.ts'
import { findPatient } from './queries.ts'

export const readsClinical = (caller: Member): boolean => hasPermission(caller, 'clinical:read')

/** Returns the row after a command, or, when the projection has not caught up in time, the decided state. */
export async function replyWithPatient(
  services: Services,
  caller: Member,
  patientId: PatientId,
  { state, revision }: CommandResult<PatientState, PatientEvent>,
): Promise<Patient> {
  const clinical = readsClinical(caller)
  const row = await findPatient(services, caller.practiceId, patientId, clinical)
  const current = currentRow(row, revision)
  if (current) return current
  const now = services.clock().toISOString()
  const { lastVisit = null, sample = false, createdAt = now } = row ?? {}
  return toReply(state, clinical, { lastVisit, sample, revision: Number(revision), createdAt, updatedAt: now })
}

/** Returns a patient that was registered at an instant (ISO), by a command that no other followed: the row says the same. */
export const replyWithNewPatient = (
  caller: Member,
  { state, revision }: CommandResult<PatientState, PatientEvent>,
  at: string,
): Patient =>
  toReply(state, readsClinical(caller), {
    lastVisit: null,
    sample: false,
    revision: Number(revision),
    createdAt: at,
    updatedAt: at,
  })

/** Returns a patient as it was decided, with `others`, which the state does not have. Throws 404 for a removed one. */
function toReply(
  state: PatientState,
  clinical: boolean,
  others: Pick<Patient, 'lastVisit' | 'sample' | 'revision' | 'createdAt' | 'updatedAt'>,
): Patient {
  if (state.status !== 'registered') throw notFound('patient')
  return {
    ...(clinical ? state.patient : withoutClinicalFields(state.patient)),
    id: state.patientId,
    practiceId: state.practiceId,
    phoneNational: state.patient.phone && formatNationalPhone(state.patient.phone),
    importId: state.importId,
    ...others,
  }
}

function withoutClinicalFields(patient: PatientFields): Omit<PatientFields, (typeof clinicalFields)[number]> {
  const others: Partial<PatientFields> = { ...patient }
  for (const field of clinicalFields) delete others[field]
  return others as Omit<PatientFields, (typeof clinicalFields)[number]>
}

/** Throws a refusal as a problem: at its field when it names one, like a value that the contract refuses. */
export function throwAsProblem(error: unknown): never {
  if (!(error instanceof CommandRejected)) throw error
  const { rejected, message, path } = error.rejection
  if (rejected === 'not-found') throw notFound('patient')
  if (path !== undefined) throw invalidRequest([{ path, message }])
  throw error
}
