import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { DocumentTextRegular } from '@fluentui/react-icons/svg/document-text'
import { EyeRegular } from '@fluentui/react-icons/svg/eye'
import * as contract from '#contracts/clinical-documentation.ts'
import type { DocumentType } from '#contracts/values/clinical-documentation.ts'
import { diagnosisCodes } from '#contracts/values/icd-10-codes.ts'
import { documentsKey } from '#web/entities/clinical/appointment-records.ts'
import { documentStatusLabels, documentTypeLabels } from '#web/entities/records/document-labels.ts'
import { getStatus, type RecordField, type RecordKind, type RecordRow } from '#web/entities/records/record-kind.ts'

const { addendum: _, ...noteLabels } = documentTypeLabels

const isNote = (row: RecordRow | null) => row === null || row['documentType'] !== 'addendum'

const part = (name: string, label: string): RecordField => ({
  name,
  of: 'soapNote',
  label,
  kind: 'text',
  maxLength: 10_000,
})

const describeDocument = (row: RecordRow) => documentTypeLabels[row['documentType'] as DocumentType]

/** Notes of appointments, and their addenda. */
export const documents: RecordKind = {
  key: documentsKey,
  title: 'Clinical Documentation',
  singular: 'document',
  plural: 'documents',
  add: 'New Note',
  icon: DocumentTextRegular,
  emptyHint: 'Write a note. A doctor approves it; after that, it is continued by addenda.',
  searchHint: 'Search by patient...',
  endpoints: {
    list: contract.listClinicalDocuments,
    exportCsv: contract.exportClinicalDocuments,
    get: contract.getClinicalDocument,
    add: contract.addClinicalDocument,
    change: contract.changeClinicalDocument,
  },
  schemas: { add: contract.NewClinicalDocument, change: contract.ClinicalDocumentChange },
  patient: 'required',
  permissions: { read: 'clinical:read', write: 'clinical:write' },
  statusField: 'status',
  statuses: {
    draft: { label: documentStatusLabels.draft, badge: 'scheduled' },
    review: { label: documentStatusLabels.review, badge: 'pending' },
    approved: { label: documentStatusLabels.approved, badge: 'approved' },
  },
  filters: [{ name: 'documentType', label: 'Kind', choices: documentTypeLabels }],
  fields: [
    {
      name: 'documentType',
      label: 'Kind',
      kind: 'choice',
      choices: noteLabels,
      initial: 'soap-note',
      isShown: isNote,
    },
    { name: 'providerId', label: 'Provider', kind: 'provider' },
    { name: 'appointmentId', label: 'Appointment', kind: 'appointment' },
    part('subjective', 'Subjective'),
    part('objective', 'Objective'),
    part('assessment', 'Assessment'),
    part('plan', 'Plan'),
    { name: 'icdCodes', label: 'Diagnosis codes (ICD-10-CM)', kind: 'codes', suggestions: diagnosisCodes },
    { name: 'cptCodes', label: 'Procedure codes', kind: 'codes', hint: 'As the practice bills them, with commas' },
  ],
  moves: [
    { status: 'review', from: ['draft'], label: 'Send to review', icon: EyeRegular },
    {
      status: 'approved',
      from: ['review'],
      label: 'Approve',
      icon: CheckmarkCircleRegular,
      permission: 'prescribing',
    },
    { status: 'draft', from: ['review'], label: 'Return to draft', icon: ArrowUndoRegular },
  ],
  describe: describeDocument,
  detail: (row, { formatInstant }) => formatInstant(row.createdAt),
  columns: [
    {
      id: 'codes',
      header: 'Codes',
      renderCell: (row) =>
        [...(row['icdCodes'] as readonly string[]), ...(row['cptCodes'] as readonly string[])].join(', ') || '-',
    },
  ],
  facts: (row, { formatDay }) => [
    ['Written by', row['aiGenerated'] === true ? 'A model' : null],
    ['Approved', row['approvedAt'] ? formatDay(String(row['approvedAt'])) : null],
    ['Addendum to', row['addendumTo'] ? `Document ${String(row['addendumTo']).slice(0, 8)}` : null],
  ],
  isEditable: (row) => getStatus(documents, row) === 'draft',
}
