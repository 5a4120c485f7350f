import { Field, Input, makeStyles, Select } from '@fluentui/react-components'
import { useRef, useState } from 'react'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { NewPatientForm } from '../booking/new-patient-form.tsx'
import { type PickedPatient, PatientPicker } from '../booking/patient-picker.tsx'
import { useAddToWaitlist } from './waitlist-api.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatName } from '../labels.ts'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '14px',
    alignItems: 'start',
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
  },
  wide: { gridColumn: '1 / -1' },
})

const empty = { type: '', providerId: '', earliest: '', latest: '' }

/** Puts a patient on the waitlist: for what, with whom, between which days. */
export function WaitlistDialog({ desk, onClose }: { desk: SchedulingContext; onClose: () => void }) {
  const styles = useStyles()
  const notify = useNotify()
  const add = useAddToWaitlist()
  const field = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<PickedPatient | null>(null)
  const [typedName, setTypedName] = useState<string | null>(null)
  const [values, setValues] = useState(empty)
  const [tried, setTried] = useState(false)
  const problem = add.error instanceof ApiProblem ? add.error.problem : null
  const messageOf = (path: string) => problem?.errors.find((each) => each.path === path)?.message
  const set =
    (name: keyof typeof empty) =>
    (_: unknown, { value }: { value: string }) =>
      setValues({ ...values, [name]: value })

  const send = async () => {
    setTried(true)
    if (!chosen || values.type === '') return
    try {
      const entry = await add.mutateAsync({
        patientId: chosen.id,
        type: values.type as AppointmentType,
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
      dirty={!add.isSuccess && (chosen !== null || values !== empty)}
      signedOut={problem?.status === 401}
      onSubmit={(event) => {
        event.preventDefault()
        return send()
      }}
      onClose={onClose}
    >
      <div className={styles.grid}>
        <div className={styles.wide}>
          {typedName === null ? (
            <PatientPicker
              chosen={chosen}
              message={tried && !chosen ? 'Please choose a patient' : messageOf('patientId')}
              field={field}
              onChoose={setChosen}
              onNew={setTypedName}
            />
          ) : (
            <NewPatientForm
              typed={typedName}
              onAdded={(patient) => {
                setChosen(patient)
                setTypedName(null)
              }}
              onBack={() => setTypedName(null)}
            />
          )}
        </div>
        <Field
          label="Type"
          required
          validationMessage={tried && values.type === '' ? 'Please choose a type' : messageOf('type')}
        >
          <Select value={values.type} onChange={set('type')}>
            <option value="">Choose a type</option>
            {Object.entries(appointmentTypeLabels).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Provider">
          <Select value={values.providerId} onChange={set('providerId')}>
            <option value="">Any provider</option>
            {desk.activeProviders.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="First day" hint="Leave empty for at once" validationMessage={messageOf('earliest')}>
          <Input type="date" value={values.earliest} onChange={set('earliest')} />
        </Field>
        <Field label="Last day" hint="Leave empty for any" validationMessage={messageOf('latest')}>
          <Input type="date" value={values.latest} onChange={set('latest')} />
        </Field>
      </div>
    </FormDialog>
  )
}
