import { z } from 'zod'
import { recordEndpoints, recordMeta, recordPatient, recordRevision } from './records.ts'
import { codes, DiagnosisCode, ProcedureCode } from './values/codes.ts'
import { CalendarDate } from './values/dates.ts'
import { PatientId, PriorAuthorizationId, ProviderId } from './values/ids.ts'
import { AuthorizationPriority, AuthorizationRequestType, AuthorizationStatus } from './values/prior-authorizations.ts'
import { line, optionalLine, optionalText } from './values/text.ts'

/**
 * A request to an insurer to approve a treatment before it is given. `expiresAt` is its last day, YYYY-MM-DD; `submittedAt` and
 * `approvedAt` are instants in UTC. `diagnosisCodes` and `clinicalData` are null for users who may not read clinical data.
 */
export const PriorAuthorization = z.object({
  id: PriorAuthorizationId,
  ...recordPatient,
  providerId: ProviderId.nullable(),
  insuranceProvider: z.string(),
  requestType: AuthorizationRequestType,
  procedureCodes: z.array(z.string()),
  diagnosisCodes: z.array(z.string()).nullable(),
  status: AuthorizationStatus,
  priority: AuthorizationPriority,
  clinicalData: z.string().nullable(),
  notes: z.string().nullable(),
  submittedAt: z.string().nullable(),
  approvedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  authorizationNumber: z.string().nullable(),
  denialReason: z.string().nullable(),
  ...recordMeta,
})
export type PriorAuthorization = z.infer<typeof PriorAuthorization>

const fields = {
  providerId: ProviderId.nullable(),
  insuranceProvider: line(200).pipe(z.string().min(1, 'Please enter the insurance provider')),
  requestType: AuthorizationRequestType,
  procedureCodes: codes(ProcedureCode),
  diagnosisCodes: codes(DiagnosisCode),
  priority: AuthorizationPriority,
  clinicalData: optionalText(5_000),
  notes: optionalText(2_000),
}

export const NewPriorAuthorization = z.strictObject({
  patientId: PatientId,
  ...fields,
  providerId: fields.providerId.default(null),
  procedureCodes: fields.procedureCodes.default([]),
  diagnosisCodes: fields.diagnosisCodes.default([]),
  priority: fields.priority.default('routine'),
  clinicalData: fields.clinicalData.default(null),
  notes: fields.notes.default(null),
})

export const PriorAuthorizationChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  status: AuthorizationStatus.exclude(['expired']).optional(),
  authorizationNumber: optionalLine(100).optional(),
  expiresAt: CalendarDate.nullable().optional(),
  denialReason: optionalText(1_000).optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/prior-authorizations',
  id: PriorAuthorizationId,
  read: 'scheduling',
  write: 'scheduling',
  status: AuthorizationStatus,
  filters: { priority: AuthorizationPriority.optional() },
  reply: PriorAuthorization,
  add: NewPriorAuthorization,
  change: PriorAuthorizationChange,
  withhold: (authorization, may) =>
    may('clinical:read') ? authorization : { ...authorization, diagnosisCodes: null, clinicalData: null },
})

/** Lists prior authorizations, newest first. `search` matches the patient's name and the insurance provider. */
export const listPriorAuthorizations = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportPriorAuthorizations = calls.exportCsv

/** A prior authorization with its history, newest first. */
export const getPriorAuthorization = calls.get

/** Adds a draft of a prior authorization. */
export const addPriorAuthorization = calls.add

/**
 * Changes a prior authorization or its status: draft, submitted, then approved (with number and last day) or denied (with the
 * reason), and appealed. 409 `already-submitted` for what the insurer has seen; 409 `changed-meanwhile` when another user has
 * changed it since `revision`.
 */
export const changePriorAuthorization = calls.change
