import { clinicalFields, type Patient, type PatientFields } from '#contracts/patients.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { type CommandResult, CommandRejected } from '#eventstore/command-bus.ts'
import { invalidRequest, notFound } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { currentRow } from '#modules/current-row.ts'
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
  if (state.status !== 'registered') throw notFound('patient')
  const now = services.clock().toISOString()
  return {
    ...(clinical ? state.patient : withoutClinicalFields(state.patient)),
    id: state.patientId,
    practiceId: state.practiceId,
    phoneNational: state.patient.phone && formatNationalPhone(state.patient.phone),
    importId: state.importId,
    lastVisit: row?.lastVisit ?? null,
    sample: row?.sample ?? false,
    revision: Number(revision),
    createdAt: row?.createdAt ?? now,
    updatedAt: now,
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
