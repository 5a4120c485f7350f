import { ArrowReplyRegular } from '@fluentui/react-icons/svg/arrow-reply'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { ChatRegular } from '@fluentui/react-icons/svg/chat'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { EyeRegular } from '@fluentui/react-icons/svg/eye'
import * as contract from '#contracts/patient-communications.ts'
import type { RecordKind, RecordRow } from '#web/entities/records/record-kind.ts'
import { directionLabels } from './labels.ts'

const typeLabels: Readonly<Record<string, string>> = {
  phone: 'Phone',
  sms: 'Text message',
  email: 'Email',
  letter: 'Letter',
  portal: 'Portal',
  'in-person': 'In person',
}
const priorityLabels: Readonly<Record<string, string>> = { low: 'Low', normal: 'Normal', high: 'High' }

const isNew = (row: RecordRow | null) => row === null

/** Messages from and to patients. */
export const messages: RecordKind = {
  key: 'patient-communications',
  title: 'Messages',
  singular: 'message',
  plural: 'messages',
  add: 'Note Message',
  icon: ChatRegular,
  emptyHint: 'Note what a patient said or wrote, and what the practice answered.',
  searchHint: 'Search by patient...',
  endpoints: {
    list: contract.listPatientCommunications,
    exportCsv: contract.exportPatientCommunications,
    get: contract.getPatientCommunication,
    add: contract.addPatientCommunication,
    change: contract.changePatientCommunication,
  },
  schemas: { add: contract.NewPatientCommunication, change: contract.PatientCommunicationChange },
  patient: 'optional',
  permissions: { read: 'scheduling', write: 'scheduling' },
  statusField: 'status',
  statuses: {
    sent: { label: 'Open', badge: 'pending' },
    read: { label: 'Read', badge: 'reviewed' },
    answered: { label: 'Answered', badge: 'completed' },
    failed: { label: 'Failed', badge: 'failed' },
  },
  filters: [
    { name: 'direction', label: 'Direction', choices: directionLabels },
    { name: 'priority', label: 'Priority', choices: priorityLabels },
  ],
  fields: [
    {
      name: 'communicationType',
      label: 'By',
      kind: 'choice',
      choices: typeLabels,
      initial: 'phone',
      isShown: isNew,
    },
    {
      name: 'direction',
      label: 'Direction',
      kind: 'choice',
      choices: directionLabels,
      initial: 'inbound',
      isShown: isNew,
    },
    { name: 'subject', label: 'Subject', kind: 'line', maxLength: 200, isShown: isNew },
    { name: 'priority', label: 'Priority', kind: 'choice', choices: priorityLabels, initial: 'normal' },
    { name: 'relatedAppointmentId', label: 'About the appointment', kind: 'appointment' },
    {
      name: 'messageContent',
      label: 'Message',
      kind: 'text',
      required: true,
      maxLength: 5_000,
      isShown: isNew,
    },
  ],
  moves: [
    { status: 'answered', from: ['sent', 'read'], label: 'Mark answered', icon: ArrowReplyRegular },
    { status: 'read', from: ['sent'], label: 'Mark read', icon: EyeRegular },
    { status: 'failed', from: ['sent'], label: 'Mark failed', icon: DismissCircleRegular },
    { status: 'sent', from: ['read', 'answered', 'failed'], label: 'Reopen', icon: ArrowUndoRegular },
  ],
  describe: (row) => String(row['subject'] ?? typeLabels[String(row['communicationType'])]),
  detail: (row, { formatInstant }) => `${directionLabels[String(row['direction'])]}, ${formatInstant(row.createdAt)}`,
  columns: [
    {
      id: 'by',
      header: 'By',
      width: '124px',
      tight: 'auto',
      renderCell: (row) => typeLabels[String(row['communicationType'])] ?? '',
    },
    {
      id: 'priority',
      header: 'Priority',
      width: '100px',
      tight: 'hidden',
      renderCell: (row) => priorityLabels[String(row['priority'])] ?? '',
    },
  ],
}
