import type { DocumentStatus, DocumentType } from '#contracts/values/clinical-documentation.ts'

/** Display names of the kinds of clinical documents. */
export const documentTypeLabels: Readonly<Record<DocumentType, string>> = {
  'soap-note': 'SOAP note',
  'progress-note': 'Progress note',
  'procedure-note': 'Procedure note',
  addendum: 'Addendum',
}

/** Display names of the statuses of clinical documents. */
export const documentStatusLabels: Readonly<Record<DocumentStatus, string>> = {
  draft: 'Draft',
  review: 'In review',
  approved: 'Approved',
}
