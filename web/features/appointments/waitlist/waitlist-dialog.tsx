import { formatName } from '#web/ui/format.ts'
import { Field, Input, makeStyles, Select } from '@fluentui/react-components'
import { type Ref, useRef, useState } from 'react'
import type { Provider } from '#contracts/providers.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { NewPatientForm } from '../booking/new-patient-form.tsx'
import { type PickedPatient, PatientPicker } from '#web/entities/patients/patient-picker.tsx'
import { useAddToWaitlist } from './waitlist-api.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { useAppointmentTypes } from '#web/entities/appointments/use-appointment-types.ts'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '14px',
    alignItems: 'start',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
  },
  wide: { gridColumn: '1 / -1' },
})

const empty = { type: '', providerId: '', earliest: '', latest: '' }

/** Adds a patient to the waitlist, with type, provider and range of days. */
export function WaitlistDialog({ context, onClose }: { context: SchedulingContext; onClose: () => void }) {
  const styles = useStyles()
  const notify = useNotify()
  const add = useAddToWaitlist()
  const types = useAppointmentTypes()
  const patientInput = useRef<HTMLInputElement>(null)
  const typeInput = useRef<HTMLSelectElement>(null)
  const [patient, setPatient] = useState<PickedPatient | null>(null)
  const [newPatientName, setNewPatientName] = useState<string | null>(null)
  const [values, setValues] = useState(empty)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const problem = add.error instanceof ApiProblem ? add.error.problem : null
  const getMessage = (path: string) => problem?.errors.find((error) => error.path === path)?.message

  const patientMessage = isSubmitted && !patient ? 'Please choose a patient' : getMessage('patientId')

  const choosePatient = (chosen: PickedPatient | null) => {
    setPatient(chosen)
    setNewPatientName(null)
    if (chosen) setTimeout(() => typeInput.current?.focus())
  }

  const send = async () => {
    setIsSubmitted(true)
    if (!patient) return patientInput.current?.focus()
    if (values.type === '') return typeInput.current?.focus()
    const type = values.type as AppointmentType
    try {
      const entry = await add.mutateAsync({
        patientId: patient.id,
        type,
        ...(types ? { duration: types[type].duration } : {}),
        providerId: (values.providerId || null) as ProviderId | null,
        earliest: values.earliest || null,
        latest: values.latest || null,
      })
      notify({ title: 'Added to the waitlist', body: formatName(entry.patient) })
      onClose()
    } catch (error) {
      notify({ title: 'Failed to change the waitlist', body: errorMessage(error), intent: 'error' })
    }
  }

  return (
    <FormDialog
      title="Add to Waitlist"
      action="Add to waitlist"
      pendingAction="Adding..."
      pending={add.isPending}
      dirty={!add.isSuccess && (patient !== null || values !== empty)}
      signedOut={problem?.status === 401}
      onSubmit={(event) => {
        event.preventDefault()
        return send()
      }}
      onClose={onClose}
    >
      <div className={styles.grid}>
        <div className={styles.wide}>
          {newPatientName === null ? (
            <PatientPicker
              chosen={patient}
              message={patientMessage}
              inputRef={patientInput}
              onChoose={choosePatient}
              onNew={setNewPatientName}
            />
          ) : (
            <NewPatientForm
              typed={newPatientName}
              message={patientMessage}
              inputRef={patientInput}
              onAdded={choosePatient}
              onBack={() => setNewPatientName(null)}
            />
          )}
        </div>
        <EntryFields
          typeInput={typeInput}
          values={values}
          providers={context.activeProviders}
          getMessage={(path) =>
            path === 'type' && isSubmitted && values.type === '' ? 'Please choose a type' : getMessage(path)
          }
          onChange={(change) => setValues({ ...values, ...change })}
        />
      </div>
    </FormDialog>
  )
}

type EntryFieldsProps = {
  typeInput: Ref<HTMLSelectElement>
  values: typeof empty
  providers: readonly Provider[]
  getMessage: (path: string) => string | undefined
  onChange: (change: Partial<typeof empty>) => void
}

function EntryFields({ typeInput, values, providers, getMessage, onChange }: EntryFieldsProps) {
  const setValue =
    (name: keyof typeof empty) =>
    (_: unknown, { value }: { value: string }) =>
      onChange({ [name]: value })
  return (
    <>
      <Field label="Type" required validationMessage={getMessage('type')}>
        <Select ref={typeInput} value={values.type} onChange={setValue('type')}>
          <option value="">Choose a type</option>
          {Object.entries(appointmentTypeLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Provider">
        <Select value={values.providerId} onChange={setValue('providerId')}>
          <option value="">Any provider</option>
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="First day" hint="Leave empty for as soon as possible" validationMessage={getMessage('earliest')}>
        <Input type="date" value={values.earliest} onChange={setValue('earliest')} />
      </Field>
      <Field label="Last day" hint="Leave empty for no limit" validationMessage={getMessage('latest')}>
        <Input type="date" value={values.latest} onChange={setValue('latest')} />
      </Field>
    </>
  )
}
