import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CalendarCheckmarkRegular } from '@fluentui/react-icons/svg/calendar-checkmark'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { PersonArrowRightRegular } from '@fluentui/react-icons/svg/person-arrow-right'
import { SendRegular } from '@fluentui/react-icons/svg/send'
import * as contract from '#contracts/referrals.ts'
import type { RecordKind, RecordRow } from '#web/entities/records/record-kind.ts'
import { formatDate } from '#web/ui/dates.ts'
import { priorityLabels } from './labels.ts'

const isPending = (row: RecordRow | null) => row === null || row['referralStatus'] === 'pending'

/** Requests to specialists. */
export const referrals: RecordKind = {
  key: 'referrals',
  title: 'Referrals',
  singular: 'referral',
  plural: 'referrals',
  add: 'New Referral',
  icon: PersonArrowRightRegular,
  emptyHint: 'Refer a patient to a specialist, and keep track until the report has arrived.',
  searchHint: 'Search by patient or specialty...',
  endpoints: {
    list: contract.listReferrals,
    exportCsv: contract.exportReferrals,
    get: contract.getReferral,
    add: contract.addReferral,
    change: contract.changeReferral,
  },
  schemas: { add: contract.NewReferral, change: contract.ReferralChange },
  patient: 'required',
  permissions: { read: 'patients:read', write: 'patients:write' },
  statusField: 'referralStatus',
  statuses: {
    pending: { label: 'Pending', badge: 'pending' },
    sent: { label: 'Sent', badge: 'sent' },
    scheduled: { label: 'Scheduled', badge: 'confirmed' },
    completed: { label: 'Completed', badge: 'completed' },
    cancelled: { label: 'Cancelled', badge: 'cancelled' },
  },
  filters: [{ name: 'urgencyLevel', label: 'Urgency', choices: priorityLabels }],
  fields: [
    { name: 'specialtyType', label: 'Specialty', kind: 'line', required: true, maxLength: 100, isShown: isPending },
    { name: 'urgencyLevel', label: 'Urgency', kind: 'choice', choices: priorityLabels, initial: 'routine' },
    {
      name: 'reasonForReferral',
      label: 'Reason',
      kind: 'text',
      required: true,
      maxLength: 2_000,
      isShown: isPending,
    },
    { name: 'referringProviderId', label: 'Referred by', kind: 'provider' },
    {
      name: 'insuranceProvider',
      label: 'Insurance provider',
      kind: 'line',
      maxLength: 200,
      fromPatient: ({ insuranceInfo }) => insuranceInfo?.provider ?? '',
    },
    {
      name: 'coveredSpecialists',
      label: 'Covered specialists',
      kind: 'lines',
      hint: 'One to a line',
    },
    { name: 'selectedSpecialistInfo', label: 'Specialist', kind: 'text', maxLength: 500 },
    { name: 'appointmentDate', label: 'Day of the appointment', kind: 'date' },
    { name: 'followUpRequired', label: 'A report is expected', kind: 'flag', initial: 'true' },
    { name: 'notes', label: 'Notes', kind: 'text', maxLength: 2_000 },
  ],
  moves: [
    {
      status: 'sent',
      from: ['pending'],
      label: 'Send',
      icon: SendRegular,
      fields: ['selectedSpecialistInfo'],
    },
    {
      status: 'scheduled',
      from: ['sent'],
      label: 'Enter appointment',
      icon: CalendarCheckmarkRegular,
      fields: ['appointmentDate'],
    },
    {
      status: 'completed',
      from: ['scheduled', 'sent'],
      label: 'Report received',
      icon: CheckmarkCircleRegular,
    },
    {
      status: 'cancelled',
      from: ['pending', 'sent', 'scheduled'],
      label: 'Cancel referral',
      icon: DismissCircleRegular,
    },
    { status: 'pending', from: ['cancelled', 'completed'], label: 'Reopen', icon: ArrowUndoRegular },
  ],
  describe: (row) => String(row['specialtyType']),
  detail: (row) => priorityLabels[String(row['urgencyLevel'])] ?? '',
  columns: [
    {
      id: 'specialist',
      header: 'Specialist',
      tight: 'hidden',
      renderCell: (row) => String(row['selectedSpecialistInfo'] ?? '-'),
    },
    {
      id: 'appointment',
      header: 'Appointment',
      width: '124px',
      renderCell: (row) => (row['appointmentDate'] ? formatDate(String(row['appointmentDate'])) : '-'),
    },
  ],
  facts: (row) => [['Report received', row['reportReceivedOn'] ? formatDate(String(row['reportReceivedOn'])) : null]],
}
