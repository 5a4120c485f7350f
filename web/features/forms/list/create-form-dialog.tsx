import { Field, Input, makeStyles, Radio, RadioGroup, Select } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Form } from '#contracts/forms.ts'
import { FormType } from '#contracts/values/forms.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { type PickedPatient, PatientPicker } from '#web/entities/patients/patient-picker.tsx'
import { useNamedPatient } from '#web/entities/patients/use-named-patient.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { newestTemplatesQuery, useCreateForm } from '../api.ts'
import { formatFormName } from '../labels.ts'
import { useCreateFormLink } from '../link/link-api.ts'
import type { NewLink } from '../link/link-dialog.tsx'
import { formTypeLabels } from '#web/entities/forms/form-labels.ts'

const useStyles = makeStyles({ fields: { display: 'grid', rowGap: '16px' } })

type CreateFormDialogProps = {
  /** The patient when the screen before named one. */
  patientId?: string | undefined
  onClose: () => void
  /** Closes the dialog too. `link`: the patient fills it in; null when the link could not be created. */
  onCreated: (form: Form, link?: NewLink | null) => void
}

/** Creates a form for a patient. Its button is disabled until patient, type and title are set (spec). */
export function CreateFormDialog({ patientId, onClose, onCreated }: CreateFormDialogProps) {
  const styles = useStyles()
  const notify = useNotify()
  const create = useCreateForm()
  const link = useCreateFormLink()
  /** The patient fills it in. */
  const [isSent, setIsSent] = useState(false)
  const templates = useQuery(newestTemplatesQuery)
  const patientInput = useRef<HTMLInputElement>(null)
  const typeInput = useRef<HTMLSelectElement>(null)
  const [patient, setPatient] = useState<PickedPatient | null>(null)
  const [formType, setFormType] = useState<FormType | null>(null)
  /** The title as typed; null as long as it is that of the template. */
  const [typedTitle, setTypedTitle] = useState<string | null>(null)
  const title = typedTitle ?? (formType && templates.data?.get(formType)?.title) ?? ''
  const problem = create.error instanceof ApiProblem ? create.error.problem : null
  const getMessage = (path: string) => problem?.errors.find((error) => error.path === path)?.message
  const isComplete = patient !== null && formType !== null && title.trim() !== ''

  const createLink = async ({ id }: Form): Promise<NewLink | null> => {
    try {
      return await link.mutateAsync(id)
    } catch (error) {
      notify({ title: 'Failed to create the link', body: errorMessage(error), intent: 'error' })
      return null
    }
  }
  const choosePatient = (chosen: PickedPatient | null) => {
    setPatient(chosen)
    if (chosen) setTimeout(() => typeInput.current?.focus())
  }
  useNamedPatient(patientId, choosePatient)
  const send = async () => {
    if (!isComplete) return
    try {
      const form = await create.mutateAsync({ patientId: patient.id, formType, title, formData: {} })
      notify({ title: 'Form created', body: formatFormName(form) })
      onCreated(form, isSent ? await createLink(form) : undefined)
    } catch (error) {
      notify({ title: 'Failed to create form', body: errorMessage(error), intent: 'error' })
    }
  }

  return (
    <FormDialog
      title="Create Form"
      action="Create Form"
      pendingAction="Creating..."
      pending={create.isPending || link.isPending}
      isReady={isComplete}
      dirty={
        !create.isSuccess &&
        ((patient !== null && patient.id !== patientId) || formType !== null || typedTitle !== null)
      }
      signedOut={problem?.status === 401}
      onSubmit={(event) => {
        event.preventDefault()
        return send()
      }}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <PatientPicker
          chosen={patient}
          message={getMessage('patientId')}
          inputRef={patientInput}
          onChoose={choosePatient}
        />
        <Field label="Form type" required validationMessage={getMessage('formType')}>
          <Select
            ref={typeInput}
            value={formType ?? 'none'}
            onChange={(_, { value }) => {
              setFormType(FormType.safeParse(value).data ?? null)
              if (typedTitle === '') setTypedTitle(null)
            }}
          >
            <option value="none">Choose a type</option>
            {FormType.options.map((type) => (
              <option key={type} value={type}>
                {formTypeLabels[type]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Title" required validationMessage={getMessage('title')}>
          <Input value={title} autoComplete="off" maxLength={200} onChange={(_, { value }) => setTypedTitle(value)} />
        </Field>
        <Field label="Filled in">
          <RadioGroup value={isSent ? 'link' : 'here'} onChange={(_, { value }) => setIsSent(value === 'link')}>
            <Radio value="here" label="Here, in the practice" />
            <Radio value="link" label="On their own phone or computer, with a link" />
          </RadioGroup>
        </Field>
      </div>
    </FormDialog>
  )
}
