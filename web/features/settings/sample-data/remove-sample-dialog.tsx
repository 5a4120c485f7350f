import { Field, makeStyles, mergeClasses, Radio, RadioGroup, Text } from '@fluentui/react-components'
import { useState } from 'react'
import type { EditedChoice, EditedSample, SampleData } from '#contracts/sample-data.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { useListStyles } from '#web/ui/list-styles.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatSampleCounts, describeRemovalError, useRemoveSampleData } from './sample-data-api.ts'
import { formatName } from '#web/ui/format.ts'

const useStyles = makeStyles({ records: { maxHeight: '208px', overflowY: 'auto' } })

/** Confirms the removal of the sample data, with a choice for records that the practice has edited. */
export function RemoveSampleDialog({ data, onClose }: { data: SampleData; onClose: () => void }) {
  const notify = useNotify()
  const remove = useRemoveSampleData()
  const [choice, setChoice] = useState<EditedChoice>('keep')
  const { edited } = data
  const confirm = async () => {
    try {
      await remove.mutateAsync(edited.length > 0 ? choice : undefined)
      notify({ title: 'Sample data removed', body: 'Everything you entered yourself is still there.' })
      onClose()
    } catch {
      // The dialog stays open and shows the error.
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
        {formatSampleCounts(data)} are removed, also from the figures and trends. Everything you entered yourself stays.
      </Text>
      {edited.length > 0 && <EditedRecords edited={edited} choice={choice} onChoose={setChoice} />}
      <SecondaryText>Removed sample data cannot be restored.</SecondaryText>
    </ConfirmDialog>
  )
}

type EditedRecordsProps = {
  edited: readonly EditedSample[]
  choice: EditedChoice
  onChoose: (choice: EditedChoice) => void
}

function EditedRecords({ edited, choice, onChoose }: EditedRecordsProps) {
  const styles = useStyles()
  const list = useListStyles()
  const pronoun = edited.length === 1 ? 'it' : 'them'
  const title = edited.length === 1 ? 'One of them is in use' : `${edited.length} of them are in use`
  return (
    <>
      <Text weight="semibold">{title}</Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard */}
      <ul className={mergeClasses(list.list, styles.records)} aria-label="Sample records in use" tabIndex={0}>
        {edited.map((record) => (
          <li key={record.id} className={list.item}>
            <TwoLineCell top={formatName(record.patient)} bottom={describeEditedRecord(record)} wrap />
          </li>
        ))}
      </ul>
      <Field label={`What should happen to ${pronoun}?`}>
        <RadioGroup value={choice} onChange={(_, { value }) => onChoose(value as EditedChoice)}>
          <Radio value="keep" label={`Keep ${pronoun} as your own, without the Demo badge`} />
          <Radio value="remove" label={`Remove ${pronoun} too`} />
        </RadioGroup>
      </Field>
      {choice === 'remove' && (
        <Text role="status">
          Appointments you booked for these patients are cancelled, and their waitlist entries are removed.
        </Text>
      )}
    </>
  )
}

function describeEditedRecord(record: EditedSample): string {
  if (record.kind === 'appointment')
    return `${appointmentTypeLabels[record.type]}, ${formatDate(record.localDate)} at ${formatTime(record.localTime)}, edited`
  return record.reason === 'edited' ? 'Patient, edited' : 'Patient with your own appointments or waitlist entries'
}
