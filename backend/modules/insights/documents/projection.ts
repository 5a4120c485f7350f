import type { ClinicalDocumentEvent } from '#modules/clinical-documentation/events.ts'
import { defineProjection } from '#projections/projection.ts'

type DocumentRow = {
  document_id: string
  practice_id: string
  patient_id: string
  written_at: string
  sample: boolean
}

/** The documents about patients, each with its first moment: appointments without a document since are found by them. */
export const insightDocuments = defineProjection<ClinicalDocumentEvent, DocumentRow>({
  name: 'insight_documents',
  version: 1,
  isMetadataOnly: true,
  columns: {
    document_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    written_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'document_id',
  indexes: ['(practice_id, written_at)', '(patient_id, written_at)'],
  rowOf: ({ data }) => data.documentId,
  on: {
    ClinicalDocumentDrafted: (_, { data: { documentId, practiceId, patientId }, metadata }) => ({
      document_id: documentId,
      practice_id: practiceId,
      patient_id: patientId,
      written_at: metadata.at,
      sample: metadata.sample,
    }),
    ClinicalDocumentChanged: 'ignore',
    ClinicalDocumentSubmitted: 'ignore',
    ClinicalDocumentReturned: 'ignore',
    ClinicalDocumentApproved: 'ignore',
  },
})
