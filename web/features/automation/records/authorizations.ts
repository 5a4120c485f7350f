import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { DocumentCheckmarkRegular } from '@fluentui/react-icons/svg/document-checkmark'
import { SendRegular } from '@fluentui/react-icons/svg/send'
import * as contract from '#contracts/prior-authorizations.ts'
import { diagnosisCodes } from '#contracts/values/icd-10-codes.ts'
import { getStatus, type RecordKind, type RecordRow } from '#web/entities/records/record-kind.ts'
import { formatDate } from '#web/ui/dates.ts'
import { authorizationStatuses, priorityLabels } from './labels.ts'

const requestTypeLabels: Readonly<Record<string, string>> = {
  procedure: 'Procedure',
  imaging: 'Imaging',
  medication: 'Medication',
  equipment: 'Equipment',
  therapy: 'Therapy',
  other: 'Other',
}

const isApproved = (row: RecordRow | null) => row !== null && row['status'] === 'approved'
const isDraft = (row: RecordRow | null) => row === null || row['status'] === 'draft'

const describeCodes = (row: RecordRow) => (row['procedureCodes'] as readonly string[]).join(', ')

/** Requests to insurers to approve a treatment. */
export const authorizations: RecordKind = {
  key: 'prior-authorizations',
  title: 'Prior Authorizations',
  singular: 'prior authorization',
  plural: 'prior authorizations',
  add: 'New Authorization',
  icon: DocumentCheckmarkRegular,
  emptyHint: 'Enter a request to an insurer to keep track of its answer and its last day.',
  searchHint: 'Search by patient or insurer...',
  endpoints: {
    list: contract.listPriorAuthorizations,
    exportCsv: contract.exportPriorAuthorizations,
    get: contract.getPriorAuthorization,
    add: contract.addPriorAuthorization,
    change: contract.changePriorAuthorization,
  },
  schemas: { add: contract.NewPriorAuthorization, change: contract.PriorAuthorizationChange },
  patient: 'required',
  permissions: { read: 'scheduling', write: 'scheduling' },
  statusField: 'status',
  statuses: authorizationStatuses,
  filters: [{ name: 'priority', label: 'Priority', choices: priorityLabels }],
  fields: [
    {
      name: 'insuranceProvider',
      label: 'Insurance provider',
      kind: 'line',
      required: true,
      maxLength: 200,
      isShown: isDraft,
      fromPatient: ({ insuranceInfo }) => insuranceInfo?.provider ?? '',
    },
    {
      name: 'requestType',
      label: 'Request',
      kind: 'choice',
      choices: requestTypeLabels,
      initial: 'procedure',
      isShown: isDraft,
    },
    { name: 'priority', label: 'Priority', kind: 'choice', choices: priorityLabels, initial: 'routine' },
    { name: 'providerId', label: 'Provider', kind: 'provider' },
    { name: 'procedureCodes', label: 'Procedure codes', kind: 'codes', isShown: isDraft },
    {
      name: 'diagnosisCodes',
      label: 'Diagnosis codes',
      kind: 'codes',
      suggestions: diagnosisCodes,
      isClinical: true,
      isShown: isDraft,
    },
    { name: 'clinicalData', label: 'Clinical data', kind: 'text', maxLength: 5_000, isClinical: true },
    {
      name: 'authorizationNumber',
      label: 'Authorization number',
      kind: 'line',
      maxLength: 100,
      isShown: isApproved,
    },
    { name: 'expiresAt', label: 'Last day', kind: 'date', isShown: isApproved },
    { name: 'denialReason', label: 'Reason of the denial', kind: 'text', maxLength: 1_000, isShown: () => false },
    { name: 'notes', label: 'Notes', kind: 'text', maxLength: 2_000 },
  ],
  moves: [
    { status: 'submitted', from: ['draft'], label: 'Submit', icon: SendRegular },
    {
      status: 'approved',
      from: ['submitted', 'appealed', 'expired'],
      label: 'Approve',
      icon: CheckmarkCircleRegular,
      fields: ['authorizationNumber', 'expiresAt'],
    },
    {
      status: 'denied',
      from: ['submitted', 'appealed'],
      label: 'Deny',
      icon: DismissCircleRegular,
      fields: ['denialReason'],
    },
    { status: 'appealed', from: ['denied'], label: 'Appeal', icon: ArrowUndoRegular },
  ],
  describe: (row) => requestTypeLabels[String(row['requestType'])] ?? 'Request',
  detail: (row) => [row['insuranceProvider'], describeCodes(row)].filter(Boolean).join(', '),
  columns: [
    {
      id: 'number',
      header: 'Number',
      tight: 'hidden',
      renderCell: (row) => String(row['authorizationNumber'] ?? '-'),
    },
    {
      id: 'term',
      header: 'Last day',
      width: '124px',
      renderCell: (row) => (row['expiresAt'] ? formatDate(String(row['expiresAt'])) : '-'),
    },
  ],
  facts: (row, { formatDay }) => [
    ['Submitted', row['submittedAt'] ? formatDay(String(row['submittedAt'])) : null],
    ['Approved', row['approvedAt'] ? formatDay(String(row['approvedAt'])) : null],
  ],
  isEditable: (row) => getStatus(authorizations, row) !== 'expired',
}
