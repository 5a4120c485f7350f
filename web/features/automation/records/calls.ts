import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CallRegular } from '@fluentui/react-icons/svg/call'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import * as contract from '#contracts/call-logs.ts'
import type { RecordKind, RecordRow } from '#web/entities/records/record-kind.ts'
import { formatDate } from '#web/ui/dates.ts'
import { directionLabels, formatDuration } from './labels.ts'

const callStatusLabels: Readonly<Record<string, string>> = {
  completed: 'Answered',
  missed: 'Missed',
  voicemail: 'Voicemail',
  busy: 'Busy',
  failed: 'Failed',
}

const describeAiCall = (row: RecordRow) =>
  row['transferredToHuman'] === true ? 'A telephone assistant, then a person' : 'A telephone assistant'

const needsFollowUp = (row: RecordRow) => row['followUpRequired'] === true

const describeFollowUp = (row: RecordRow) =>
  needsFollowUp(row)
    ? [row['followUpOwner'], row['followUpDueOn'] && `until ${formatDate(String(row['followUpDueOn']))}`]
        .filter(Boolean)
        .join(', ') || 'Required'
    : '-'

/** The log of calls. */
export const calls: RecordKind = {
  key: 'call-logs',
  title: 'Calls',
  singular: 'call',
  plural: 'calls',
  add: 'Log Call',
  icon: CallRegular,
  emptyHint: 'Log a call to know who calls back, and until when.',
  searchHint: 'Search by patient or number...',
  endpoints: {
    list: contract.listCallLogs,
    exportCsv: contract.exportCallLogs,
    get: contract.getCallLog,
    add: contract.addCallLog,
    change: contract.changeCallLog,
  },
  schemas: { add: contract.NewCallLog, change: contract.CallLogChange },
  patient: 'optional',
  permissions: { read: 'scheduling', write: 'scheduling' },
  statusField: 'followUpStatus',
  statuses: { open: { label: 'Open', badge: 'pending' }, done: { label: 'Done', badge: 'completed' } },
  filters: [{ name: 'followUpRequired', label: 'Follow-up', choices: { true: 'Required', false: 'None' } }],
  fields: [
    { name: 'callerPhone', label: 'Phone number', kind: 'line', required: true, maxLength: 50 },
    {
      name: 'callDirection',
      label: 'Direction',
      kind: 'choice',
      choices: directionLabels,
      initial: 'inbound',
    },
    { name: 'callStatus', label: 'Ended', kind: 'choice', choices: callStatusLabels, initial: 'completed' },
    { name: 'callDuration', label: 'Seconds', kind: 'number', initial: '0', maxLength: 5 },
    { name: 'callIntent', label: 'About', kind: 'line', maxLength: 200 },
    { name: 'transferredTo', label: 'Transferred to', kind: 'line', maxLength: 100 },
    { name: 'callNotes', label: 'Notes', kind: 'text', maxLength: 2_000 },
    { name: 'transcription', label: 'Transcription', kind: 'text', maxLength: 20_000, isClinical: true },
    { name: 'followUpRequired', label: 'A follow-up is required', kind: 'flag' },
    { name: 'followUpOwner', label: 'Who follows up', kind: 'line', maxLength: 100 },
    { name: 'followUpDueOn', label: 'Until', kind: 'date' },
  ],
  moves: [
    {
      status: 'done',
      from: ['open'],
      label: 'Finish follow-up',
      icon: CheckmarkCircleRegular,
      isOffered: needsFollowUp,
    },
    { status: 'open', from: ['done'], label: 'Reopen', icon: ArrowUndoRegular },
  ],
  describe: (row) => String(row['callIntent'] ?? `${directionLabels[String(row['callDirection'])]} call`),
  detail: (row, { formatInstant }) => `${String(row['callerPhone'])}, ${formatInstant(row.createdAt)}`,
  columns: [
    {
      id: 'duration',
      header: 'Duration',
      width: '140px',
      renderCell: (row) =>
        `${callStatusLabels[String(row['callStatus'])]}, ${formatDuration(Number(row['callDuration']))}`,
    },
    { id: 'follow-up', header: 'Follow-up', tight: 'hidden', renderCell: describeFollowUp },
  ],
  facts: (row) => [['Answered by', row['handledByAi'] === true ? describeAiCall(row) : null]],
}
