import type { ConfirmationDetails } from '#contracts/confirmations.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import {
  type Fact,
  Facts,
  PatientLink,
  RecordHead,
  RecordHistory,
  RecordSection,
} from '#web/entities/records/record-parts.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { describeResponse, describeSending, historyLabels, joinLines, methodLabels } from './labels.ts'

/** A confirmation at a glance: patient and status, the message, the answer, and the history. */
export function ConfirmationRecord({ confirmation }: { confirmation: ConfirmationDetails }) {
  const formatInstant = useFormatInstant()
  const { patientName, patientId, status, reminderType, phoneNumber, email, answerUrl, history } = confirmation
  const facts: readonly Fact[] = [
    ['Appointment', formatInstant(confirmation.appointmentDate)],
    ['Method', methodLabels[reminderType]],
    ['To', (reminderType === 'sms' ? phoneNumber : email) ?? 'No address'],
    ['Sent', joinLines(describeSending(confirmation, formatInstant))],
    ['Response', joinLines(describeResponse(confirmation, formatInstant))],
  ]
  return (
    <>
      <RecordHead
        subject={<PatientLink patientId={patientId} patientName={patientName} />}
        badge={<StatusBadge status={status} />}
      />
      <RecordSection>
        <Facts facts={facts} />
      </RecordSection>
      {answerUrl && (
        <RecordSection title="Answer as the patient">
          <CopyField label="The link in the message" value={answerUrl} />
          <SecondaryText as="p">
            No service sends messages here: they are kept in the outbox of the operator.
          </SecondaryText>
        </RecordSection>
      )}
      <RecordSection title="History">
        <RecordHistory entries={history.toReversed()} describe={({ what }) => historyLabels[what]} />
      </RecordSection>
    </>
  )
}
