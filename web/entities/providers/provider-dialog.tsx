import { makeStyles, Radio, RadioGroup, Field } from '@fluentui/react-components'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useController, useForm } from 'react-hook-form'
import { NewProvider, type Provider, ProviderChange } from '#contracts/providers.ts'
import { Colour } from '#contracts/values/colours.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { showFieldErrors } from '#web/forms/form-errors.ts'
import { ConflictNotice } from '#web/entities/practices/conflict-notice.tsx'
import { parsePlanRefusal, PlanNotice } from '#web/entities/billing/plan-notice.tsx'
import { providersQuery, useAddProvider, useUpdateProvider } from './providers.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { ColourDot } from '#web/ui/colour-dot.tsx'
import { useNotify } from '#web/ui/toasts.tsx'

const useStyles = makeStyles({
  fields: { display: 'grid', rowGap: '14px' },
  colors: { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(120px, 1fr))' },
})

const titleHint = 'For example MD or Nurse practitioner'

/** Adds a provider; an account is not required. */
export function AddProviderDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (provider: Provider) => void
}) {
  const styles = useStyles()
  const notify = useNotify()
  const add = useAddProvider()
  const refusal = parsePlanRefusal(add.error)
  const { control, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(NewProvider, undefined, { raw: true }),
    defaultValues: { name: '', title: '' },
  })
  const send = handleSubmit(async ({ name, title }) => {
    try {
      const provider = await add.mutateAsync({ name, ...(title?.trim() ? { title } : {}) })
      reset({ name, title: title ?? '' })
      notify({ title: 'Provider added', body: provider.name })
      onAdded(provider)
    } catch (error) {
      if (parsePlanRefusal(error)) return
      showFieldErrors(setError)(error)
      notify({ title: 'Failed to add provider', body: errorMessage(error), intent: 'error' })
    }
  })
  return (
    <FormDialog
      title="Add Provider"
      action="Add provider"
      pendingAction="Adding..."
      pending={add.isPending}
      dirty={formState.isDirty && !add.isSuccess}
      signedOut={add.error instanceof ApiProblem && add.error.status === 401}
      onSubmit={send}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {refusal && <PlanNotice refusal={refusal} />}
        <TextField control={control} name="name" label="Name" required autoFocus autoComplete="off" maxLength={100} />
        <TextField control={control} name="title" label="Title" hint={titleHint} autoComplete="off" maxLength={60} />
      </div>
    </FormDialog>
  )
}

const toValues = ({ name, title, colour }: Provider): TextValues => ({ name, title: title ?? '', colour })

const fieldLabels = { name: 'Name', title: 'Title', colour: 'Color' }
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Edits name, title and color of a provider. */
export function EditProviderDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const styles = useStyles()
  const queries = useQueryClient()
  const change = useUpdateProvider()
  const form = useConflictForm({
    ...describeTextRecord(provider, toValues),
    schema: ProviderChange,
    toChange: pickChangedTexts,
    save: (changed, { revision }) => change.mutateAsync({ id: provider.id, body: { ...changed, revision } }),
    reload: async () => {
      const all = await fetchNewest(queries, providersQuery)
      return all.find(({ id }) => id === provider.id) ?? provider
    },
    saved: 'Provider updated',
    failed: 'Failed to update provider',
  })
  const colour = useController<TextValues>({ control: form.control, name: 'colour' })
  return (
    <FormDialog
      title={`Edit ${provider.name}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={form.formState.isSubmitting}
      dirty={form.formState.isDirty}
      signedOut={form.signedOut}
      onSubmit={form.submit(onClose)}
      onClose={onClose}
    >
      {form.conflict && (
        <ConflictNotice key={form.conflict.id} {...form.conflict} labels={fieldLabels} subject="this provider" />
      )}
      <div className={styles.fields}>
        <TextField control={form.control} name="name" label="Name" required autoComplete="off" maxLength={100} />
        <TextField
          control={form.control}
          name="title"
          label="Title"
          hint={titleHint}
          autoComplete="off"
          maxLength={60}
        />
        <Field label="Color" hint="Marks this provider in the day and week views">
          <RadioGroup
            className={styles.colors}
            name="colour"
            value={colour.field.value ?? ''}
            onChange={(_, { value }) => colour.field.onChange(value)}
          >
            {Colour.options.map((option) => (
              <Radio
                key={option}
                value={option}
                label={
                  <>
                    <ColourDot colour={option} />
                    {capitalize(option)}
                  </>
                }
              />
            ))}
          </RadioGroup>
        </Field>
      </div>
    </FormDialog>
  )
}
