import { Field, Input, Select, Textarea } from '@fluentui/react-components'
import type { ReactNode, Ref } from 'react'
import type { Provider } from '#contracts/providers.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { useFormGrid } from '#web/forms/form-grid.ts'
import { formatTime } from '#web/ui/dates.ts'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import type { OwnAppointment, WishValues } from './wishes.ts'

const formatOwn = ({ localDate, localTime, type }: OwnAppointment) =>
  `${formatShortWeekday(localDate)}, ${formatMediumDate(localDate)}, ${formatTime(localTime)}, ${appointmentTypeLabels[type]}`

type WishFieldsProps = {
  patient: ReactNode
  typeInput?: Ref<HTMLSelectElement>
  values: WishValues
  /** The coming appointments of the patient. */
  own: readonly OwnAppointment[]
  providers: readonly Provider[]
  getMessage: (field: keyof WishValues) => string | undefined
  onChange: (change: Partial<WishValues>) => void
}

/** The inputs of a waitlist entry: the patient, and the slot that they wait for. */
export function WishFields({ patient, typeInput, values, own, providers, getMessage, onChange }: WishFieldsProps) {
  const styles = useFormGrid()
  const setValue =
    (name: keyof WishValues) =>
    (_: unknown, { value }: { value: string }) =>
      onChange({ [name]: value })
  const chooseOwn = (_: unknown, { value }: { value: string }) => {
    const chosen = own.find(({ id }) => id === value)
    onChange({ appointmentId: value, ...(chosen ? { type: chosen.type } : {}) })
  }
  return (
    <div className={styles.grid}>
      <div className={styles.wide}>{patient}</div>
      {(own.length > 0 || values.appointmentId !== '') && (
        <Field
          label="Waits for"
          className={styles.wide}
          hint={values.appointmentId && 'The appointment is moved then; no second one is booked.'}
          validationMessage={getMessage('appointmentId')}
        >
          <Select value={values.appointmentId} onChange={chooseOwn}>
            <option value="">A new appointment</option>
            {own.map((appointment) => (
              <option key={appointment.id} value={appointment.id}>
                {`An earlier time than ${formatOwn(appointment)}`}
              </option>
            ))}
          </Select>
        </Field>
      )}
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
      <Field label="Provider" validationMessage={getMessage('providerId')}>
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
      <Field
        label="Notes"
        className={styles.wide}
        hint="Such as the times of day that suit"
        validationMessage={getMessage('notes')}
      >
        <Textarea rows={2} resize="vertical" maxLength={1_000} value={values.notes} onChange={setValue('notes')} />
      </Field>
    </div>
  )
}
