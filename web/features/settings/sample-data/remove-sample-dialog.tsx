import { Field, makeStyles, Radio, RadioGroup, Text, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import type { EditedChoice, EditedSample, SampleData } from '#contracts/sample-data.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatSampleCounts, describeRemovalError, useRemoveSampleData } from './sample-data-api.ts'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: '0 12px',
    maxHeight: '208px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  item: {
    padding: '8px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
  },
})

/** Asks before the sample practice goes, and what becomes of what the practice has worked on. */
export function RemoveSampleDialog({ data, onClose }: { data: SampleData; onClose: () => void }) {
  const notify = useNotify()
  const remove = useRemoveSampleData()
  const [choice, choose] = useState<EditedChoice>('keep')
  const { edited } = data
  const confirm = async () => {
    try {
      await remove.mutateAsync(edited.length > 0 ? choice : undefined)
      notify({ title: 'Sample data removed', body: 'What you entered yourself is still there.' })
      onClose()
    } catch {
      // The dialog says it and stays.
    }
  }
  return (
    <ConfirmDialog
      open
      title="Remove sample data?"
      action="Remove sample data"
      pendingAction="Removing..."
      pending={remove.isPending}
      failure={describeRemovalError(remove.error)}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>
        {formatSampleCounts(data)} that came with the practice go, also from the figures and trends. What you entered
        yourself stays.
      </Text>
      {edited.length > 0 && <Edited edited={edited} choice={choice} onChoose={choose} />}
      <SecondaryText>Sample data cannot be brought back.</SecondaryText>
    </ConfirmDialog>
  )
}

type EditedProps = { edited: readonly EditedSample[]; choice: EditedChoice; onChoose: (choice: EditedChoice) => void }

function Edited({ edited, choice, onChoose }: EditedProps) {
  const styles = useStyles()
  const them = edited.length === 1 ? 'it' : 'them'
  const title = edited.length === 1 ? 'One of them is in use' : `${edited.length} of them are in use`
  return (
    <>
      <Text weight="semibold">{title}</Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard */}
      <ul className={styles.list} aria-label="Sample records in use" tabIndex={0}>
        {edited.map((record) => (
          <li key={record.id} className={styles.item}>
            <TwoLineCell
              top={`${record.patient.firstName} ${record.patient.lastName}`}
              bottom={describeEditedRecord(record)}
              wrap
            />
          </li>
        ))}
      </ul>
      <Field label={`What should happen to ${them}?`}>
        <RadioGroup value={choice} onChange={(_, { value }) => onChoose(value as EditedChoice)}>
          <Radio value="keep" label={`Keep ${them} as your own, without the Demo badge`} />
          <Radio value="remove" label={`Remove ${them} too`} />
        </RadioGroup>
      </Field>
      {choice === 'remove' && (
        <Text role="status">
          Appointments you booked for these patients are cancelled, and they leave the waitlist.
        </Text>
      )}
    </>
  )
}

function describeEditedRecord(record: EditedSample): string {
  if (record.kind === 'appointment')
    return `${appointmentTypeLabels[record.type]}, ${formatDate(record.localDate)} at ${formatTime(record.localTime)}, edited`
  return record.reason === 'edited' ? 'Patient, edited' : 'Patient of an appointment or a wait of yours'
}

/** "14:30" as "2:30 PM". */
function formatTime(time: string): string {
  const hours = Number(time.slice(0, 2))
  return `${hours % 12 || 12}:${time.slice(3)} ${hours < 12 ? 'AM' : 'PM'}`
}
