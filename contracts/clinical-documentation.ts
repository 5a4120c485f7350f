import { z } from 'zod'
import { recordEndpoints, recordMeta, recordPatient, recordRevision } from './records.ts'
import { DocumentStatus, DocumentType } from './values/clinical-documentation.ts'
import { codes, DiagnosisCode, ProcedureCode } from './values/codes.ts'
import { AppointmentId, ClinicalDocumentId, PatientId, ProviderId, UserId } from './values/ids.ts'
import { text } from './values/text.ts'

/** The four parts of a note; each may be empty. */
export const SoapNote = z.strictObject({
  subjective: text(10_000),
  objective: text(10_000),
  assessment: text(10_000),
  plan: text(10_000),
})
export type SoapNote = z.infer<typeof SoapNote>

/**
 * A clinical document: a note of an appointment, or an addendum to an approved one (`addendumTo`). `providerReviewed` and
 * `providerApproved` follow from its status. `icdCodes` are ICD-10-CM; `cptCodes` are those that the practice entered.
 */
export const ClinicalDocument = z.object({
  id: ClinicalDocumentId,
  ...recordPatient,
  appointmentId: AppointmentId.nullable(),
  providerId: ProviderId.nullable(),
  documentType: DocumentType,
  addendumTo: ClinicalDocumentId.nullable(),
  soapNote: SoapNote,
  icdCodes: z.array(z.string()),
  cptCodes: z.array(z.string()),
  aiGenerated: z.boolean(),
  status: DocumentStatus,
  providerReviewed: z.boolean(),
  providerApproved: z.boolean(),
  approvedBy: UserId.nullable(),
  approvedAt: z.string().nullable(),
  ...recordMeta,
})
export type ClinicalDocument = z.infer<typeof ClinicalDocument>

const fields = {
  appointmentId: AppointmentId.nullable(),
  providerId: ProviderId.nullable(),
  documentType: DocumentType,
  soapNote: SoapNote,
  icdCodes: codes(DiagnosisCode),
  cptCodes: codes(ProcedureCode),
}

export const NewClinicalDocument = z.strictObject({
  patientId: PatientId,
  ...fields,
  appointmentId: fields.appointmentId.default(null),
  providerId: fields.providerId.default(null),
  documentType: fields.documentType.default('soap-note'),
  addendumTo: ClinicalDocumentId.nullable().default(null),
  icdCodes: fields.icdCodes.default([]),
  cptCodes: fields.cptCodes.default([]),
})

export const ClinicalDocumentChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  status: DocumentStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/clinical-documentation',
  id: ClinicalDocumentId,
  read: 'clinical:read',
  write: 'clinical:write',
  status: DocumentStatus,
  filters: { documentType: DocumentType.optional(), appointmentId: AppointmentId.optional() },
  reply: ClinicalDocument,
  add: NewClinicalDocument,
  change: ClinicalDocumentChange,
})

/** Lists clinical documents, newest first. `search` matches the patient's name. */
export const listClinicalDocuments = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportClinicalDocuments = calls.exportCsv

/** A clinical document with its history, newest first. */
export const getClinicalDocument = calls.get

/** Adds a draft of a note, or of an addendum to an approved document of the same patient. */
export const addClinicalDocument = calls.add

/**
 * Changes a draft or its status: draft, review, then approved by a doctor. An approved document never changes: 409
 * `already-approved`. 409 `changed-meanwhile` when another user has changed it since `revision`.
 */
export const changeClinicalDocument = calls.change
