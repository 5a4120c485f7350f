import { Field, makeStyles, Select } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { type Control, useController } from 'react-hook-form'
import type { Provider } from '#contracts/providers.ts'
import { addClosure, type BookedClosure, changeClosure } from '#contracts/working-hours.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { ApiProblem } from '#web/api/call.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { describeTextRecord, type TextValues } from '#web/forms/text-form.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { type ClosureKind, closureLabels, describeBooked } from './closure-labels.ts'
import { closuresQuery, useAddClosure, useUpdateClosure } from './working-hours-api.ts'

const useStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '14px',
    alignItems: 'start',
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
    '& .wide': { gridColumn: '1 / -1' },
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
})

const identity = (path: string) => path

/** Returns the fields as the contract expects them; one day is typed once. */
const toBody = ({ providerId, name = '', from = '', until }: TextValues) => ({
  ...(providerId === undefined ? {} : { providerId: providerId as ProviderId }),
  name,
  from,
  until: until || from,
})

type NewClosureDialogProps = { kind: ClosureKind; providers: readonly Provider[]; onClose: () => void }

/** Adds a holiday, or days off of a provider. */
export function NewClosureDialog({ kind, providers, onClose }: NewClosureDialogProps) {
  const labels = closureLabels[kind]
  const notify = useNotify()
  const add = useAddClosure()
  const active = providers.filter((provider) => provider.active)
  const start = { name: '', from: '', until: '' }
  const form = useContractForm<TextValues>({
    start: kind === 'holiday' ? start : { providerId: active[0]?.id ?? '', ...start },
    schema: addClosure.body,
    toBody,
    toInput: identity,
    failed: kind === 'holiday' ? 'Failed to add the holiday' : 'Failed to add the days off',
  })
  const send = form.submitOnce(async (typed) => {
    try {
      const { appointments } = await add.mutateAsync(toBody(typed))
      form.reset(typed)
      notify({ title: labels.added, ...(appointments > 0 ? { body: describeBooked(appointments) } : {}) })
      onClose()
    } catch (error) {
      form.showFailure(error)
    }
  })
  return (
    <FormDialog
      title={labels.dialog}
      action={labels.add}
      pendingAction="Adding..."
      pending={add.isPending}
      dirty={form.formState.isDirty && !add.isSuccess}
      signedOut={form.signedOut}
      onSubmit={send}
      onClose={onClose}
    >
      <ClosureFields control={form.control} kind={kind} providers={active} />
    </FormDialog>
  )
}

const toValues = ({ name, from, until }: BookedClosure): TextValues => ({ name: name ?? '', from, until })

/** Edits the name and the dates of a holiday or of days off. */
export function EditClosureDialog({
  title,
  closure,
  onClose,
}: {
  title: string
  closure: BookedClosure
  onClose: () => void
}) {
  const queries = useQueryClient()
  const change = useUpdateClosure()
  const kind = closure.providerId === null ? 'holiday' : 'day-off'
  const labels = { ...fieldLabels, name: kind === 'holiday' ? 'Name' : 'Reason' }
  const form = useConflictForm({
    ...describeTextRecord(closure, toValues),
    toInput: identity,
    schema: changeClosure.body,
    toChange: (_, after: TextValues) => toBody(after),
    save: (fields, { revision }) =>
      change.mutateAsync({ params: { closureId: closure.id }, body: { ...fields, revision } }),
    reload: async () => {
      const all = await fetchNewest(queries, closuresQuery)
      return all.find(({ id }) => id === closure.id) ?? closure
    },
    saved: kind === 'holiday' ? 'Holiday saved' : 'Days off saved',
    failed: kind === 'holiday' ? 'Failed to save the holiday' : 'Failed to save the days off',
    explain: (error) =>
      error instanceof ApiProblem && error.status === 404
        ? { input: 'name', message: 'It was removed by another user' }
        : null,
  })
  return (
    <FormDialog
      title={title}
      action="Save Changes"
      pendingAction="Saving..."
      pending={form.formState.isSubmitting}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={form.submit(onClose)}
      onClose={onClose}
    >
      {form.conflict && (
        <ConflictNotice key={form.conflict.id} {...form.conflict} labels={labels} subject="these days" />
      )}
      <ClosureFields control={form.control} kind={kind} />
    </FormDialog>
  )
}

const fieldLabels = { from: 'First day', until: 'Last day' }

type ClosureFieldsProps = { control: Control<TextValues>; kind: ClosureKind; providers?: readonly Provider[] }

/** Fields of a closure; with `providers` also the choice of the provider. */
function ClosureFields({ control, kind, providers }: ClosureFieldsProps) {
  const styles = useStyles()
  const dates = { type: 'date', required: true, min: '2000-01-01', max: '2099-12-31', autoComplete: 'off' } as const
  return (
    <div className={styles.fields}>
      {kind === 'day-off' && providers && <ProviderField control={control} providers={providers} />}
      {kind === 'holiday' && <NameField control={control} label="Name" hint="For example Thanksgiving" required />}
      <TextField control={control} name="from" label={fieldLabels.from} {...dates} />
      <TextField
        control={control}
        name="until"
        label={fieldLabels.until}
        {...dates}
        required={false}
        hint={lastDayHint}
      />
      {kind === 'day-off' && (
        <NameField control={control} label="Reason" hint="Optional. Shown to everyone who books appointments." />
      )}
    </div>
  )
}

const lastDayHint = 'Empty for a single day'

type NameFieldProps = { control: Control<TextValues>; label: string; hint: string; required?: boolean }

const NameField = ({ control, label, hint, required = false }: NameFieldProps) => (
  <TextField
    control={control}
    name="name"
    label={label}
    hint={hint}
    required={required}
    className="wide"
    autoFocus={required}
    autoComplete="off"
    maxLength={80}
  />
)

function ProviderField({ control, providers }: { control: Control<TextValues>; providers: readonly Provider[] }) {
  const { field, fieldState } = useController<TextValues>({ control, name: 'providerId' })
  const error = fieldState.error?.message
  return (
    <Field label="Provider" required className="wide" {...(error ? { validationMessage: error } : {})}>
      <Select {...field} value={field.value ?? ''} size="large">
        {providers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}
