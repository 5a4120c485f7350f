import { makeStyles } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { type PickedPatient, PatientPicker } from '#web/entities/patients/patient-picker.tsx'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { EditDialog } from '#web/forms/edit-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { proposeValues } from '#web/forms/propose-values.ts'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { recordQuery, useAddRecord, useChangeRecord } from './record-api.ts'
import { RecordError } from './record-error.tsx'
import { RecordFields } from './record-fields.tsx'
import {
  formatRecordName,
  type RecordDetails,
  type RecordField,
  type RecordKind,
  type RecordMove,
  type RecordRow,
} from './record-kind.ts'
import {
  findFields,
  formatField,
  patientInput,
  type RecordValues,
  toContractFields,
  toFieldLabels,
  toFormFields,
  toInputName,
  toNewRecord,
  toProposals,
  toRecordChange,
  toRecordValues,
} from './record-values.ts'

const useStyles = makeStyles({ fields: { display: 'grid', rowGap: '14px', gridTemplateColumns: 'minmax(0, 1fr)' } })

type NewRecordDialogProps = {
  kind: RecordKind
  /** Fields that the user does not choose, such as the document of an addendum, and the patient whom they belong to. */
  given?: {
    fields: Readonly<Record<string, unknown>>
    patientId: string
    title: string
    /** The values that the form begins with, by the name of the input. */
    values?: Readonly<Record<string, string>>
    /** The patient, whose record proposes what it knows. */
    patient?: PickedPatient
  }
  onClose: () => void
}

/** Adds a record. */
export function NewRecordDialog({ kind, given, onClose }: NewRecordDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const add = useAddRecord(kind)
  const mayReadClinical = useHasPermission('clinical:read')
  const patientField = useRef<HTMLInputElement>(null)
  const [patient, setPatient] = useState<PickedPatient | null>(null)
  const fields = findFields(kind, null, mayReadClinical).filter(({ name }) => !given || !(name in given.fields))
  const toBody = (values: Record<string, string>) => ({
    ...toNewRecord(kind, fields, values),
    ...given?.fields,
    ...(given ? { patientId: given.patientId } : {}),
  })
  const form = useContractForm({
    start: toStart(fields, given),
    schema: kind.schemas.add,
    toBody,
    toInput: (path) => toInputName(fields, path),
    required: kind.patient === 'required' && !given ? [[patientInput, 'Please choose a patient']] : [],
    failed: `Failed to add ${kind.singular}`,
  })
  const choosePatient = (chosen: PickedPatient | null) => {
    setPatient(chosen)
    const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
    form.setValue(patientInput, chosen?.id ?? '', options)
    // An appointment belongs to its patient.
    for (const { name, kind: input } of fields) if (input === 'appointment') form.setValue(name, '')
    for (const [field, value] of proposeValues(
      form.getValues(),
      toProposals(fields, patient),
      toProposals(fields, chosen),
    ))
      form.setValue(field, value, options)
  }
  const submit = form.submitOnce(async (values) => {
    try {
      const row = await add.mutateAsync(toBody(values))
      form.reset(values)
      notify({ title: `${capitalize(kind.singular)} added`, body: formatRecordName(kind, row) })
      onClose()
    } catch (error) {
      form.showFailure(error)
    }
  })
  const { errors, isDirty, isSubmitting } = form.formState
  return (
    <FormDialog
      title={given?.title ?? kind.add}
      action="Save"
      pendingAction="Saving..."
      pending={isSubmitting}
      dirty={isDirty && !add.isSuccess}
      signedOut={form.signedOut}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {kind.patient !== 'none' && !given && (
          <PatientPicker
            chosen={patient}
            required={kind.patient === 'required'}
            message={errors[patientInput]?.message}
            inputRef={patientField}
            onChoose={choosePatient}
          />
        )}
        <RecordFields fields={fields} control={form.control} />
      </div>
    </FormDialog>
  )
}

/** Returns the values that the form of a new record begins with. */
const toStart = (fields: readonly RecordField[], given: NewRecordDialogProps['given']): RecordValues => ({
  ...toRecordValues(fields, null),
  ...(given?.patient ? toProposals(fields, given.patient) : {}),
  ...given?.values,
  [patientInput]: given?.patientId ?? '',
})

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

type EditRecordDialogProps = { kind: RecordKind; id: string; onClose: () => void }

/** Edits the fields of a record. */
export function EditRecordDialog({ kind, id, onClose }: EditRecordDialogProps) {
  return (
    <EditDialog
      title={`Edit ${kind.singular}`}
      loadingLabel={`Loading the ${kind.singular}`}
      query={recordQuery(kind, id)}
      renderError={(error, retry) => <RecordError kind={kind} error={error} onRetry={retry} />}
      onClose={onClose}
    >
      {(record) => <EditForm kind={kind} start={record} onClose={onClose} />}
    </EditDialog>
  )
}

function EditForm({ kind, start, onClose }: { kind: RecordKind; start: RecordDetails; onClose: () => void }) {
  const queries = useQueryClient()
  const change = useChangeRecord(kind)
  const fields = findFields(kind, start, useHasPermission('clinical:read'))
  const form = useConflictForm<RecordRow, Record<string, string>, string, object>({
    base: start,
    fields: toFormFields(fields),
    toValues: (row) => toRecordValues(fields, row),
    format: (row, name) =>
      fields
        .filter((field) => (field.of ?? field.name) === name)
        .flatMap((field) => formatField(field, row, (id) => id) ?? [])
        .join(', '),
    schema: kind.schemas.change,
    toChange: (before, after) => toRecordChange(fields, before, after),
    toInput: (path) => toInputName(fields, path),
    save: (body, { revision }) => change.mutateAsync({ id: start.id, body: { ...body, revision } }),
    reload: () => fetchNewest(queries, recordQuery(kind, start.id)),
    saved: `${capitalize(kind.singular)} updated`,
    failed: `Failed to update ${kind.singular}`,
  })
  return (
    <FormDialog
      title={`Edit ${formatRecordName(kind, start)}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={form.formState.isSubmitting}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={form.submit(onClose)}
      onClose={onClose}
    >
      {form.conflict && (
        <ConflictNotice
          key={form.conflict.id}
          {...form.conflict}
          labels={toFieldLabels(fields)}
          subject={`this ${kind.singular}`}
        />
      )}
      <RecordFields fields={fields} control={form.control} />
    </FormDialog>
  )
}

type MoveRecordDialogProps = { kind: RecordKind; row: RecordRow; move: RecordMove; onClose: () => void }

/** Asks for what a status cannot do without, then moves the record. */
export function MoveRecordDialog({ kind, row, move, onClose }: MoveRecordDialogProps) {
  const notify = useNotify()
  const change = useChangeRecord(kind)
  const fields = kind.fields
    .filter(({ name }) => move.fields?.includes(name))
    .map((field) => ({ ...field, required: true }))
  const toBody = (values: Record<string, string>) => ({
    [kind.statusField]: move.status,
    ...toContractFields(fields, values),
  })
  const form = useContractForm({
    start: toRecordValues(fields, row),
    schema: kind.schemas.change,
    toBody,
    toInput: (path) => toInputName(fields, path),
    required: fields.map(({ name, label }) => [name, `Please enter the ${label.toLowerCase()}`] as const),
    failed: `Failed to update ${kind.singular}`,
  })
  const submit = form.submitOnce(async (values) => {
    try {
      const moved = await change.mutateAsync({ id: row.id, body: { ...toBody(values), revision: row.revision } })
      form.reset(values)
      notify({ title: kind.statuses[move.status]?.label ?? move.status, body: formatRecordName(kind, moved) })
      onClose()
    } catch (error) {
      form.showFailure(error)
    }
  })
  const { isDirty, isSubmitting } = form.formState
  return (
    <FormDialog
      title={`${move.label}: ${formatRecordName(kind, row)}`}
      action={move.label}
      pendingAction="Saving..."
      pending={isSubmitting}
      dirty={isDirty && !change.isSuccess}
      signedOut={form.signedOut}
      onSubmit={submit}
      onClose={onClose}
    >
      <RecordFields fields={fields} control={form.control} />
    </FormDialog>
  )
}
