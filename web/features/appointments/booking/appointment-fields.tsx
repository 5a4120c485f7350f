import { formatTime } from '#web/ui/dates.ts'
import { Field, Input, makeStyles, Select, Textarea, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { Provider } from '#contracts/providers.ts'
import { AppointmentStatus, FirstStatus } from '#contracts/values/appointments.ts'
import { useFormGrid } from '#web/forms/form-grid.ts'
import type { AppointmentValues } from './appointment-form.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'

const useStyles = makeStyles({
  twoColumns: {
    gridColumn: '1 / -1',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    alignItems: 'start',
  },
  warn: { color: tokens.colorStatusWarningForeground1 },
})

const durations = [15, 20, 30, 45, 60, 90, 120]
/** Values of the select options that open another input; no id or time looks like them. */
const addProviderOption = 'add'
const otherTimeOption = 'other'

type FormControl = { control: Control<AppointmentValues> }

type ProviderFieldProps = FormControl & {
  providers: readonly Provider[]
  canAddProvider: boolean
  onAddProvider: () => void
}

type DateTimeFieldsProps = FormControl & {
  /** The start times to choose from, HH:mm, and why there is no work on the day. */
  daySlots: readonly string[]
  dayNote: string | null
  /** Returns when the last conflicting appointment ends, HH:mm; null when the slot is free. */
  getTakenUntil: (slot: string) => string | null
  /** The time is typed instead of chosen from the slots. */
  isFreeTime: boolean
  onFreeTime: () => void
}

type AppointmentFieldsProps = ProviderFieldProps &
  DateTimeFieldsProps & {
    /** Called with the type, or the duration, that the user has chosen. */
    onType?: (type: string) => void
    onDuration?: (minutes: string) => void
    /** An existing appointment can get any status, a new one only a status that appointments start with. */
    existing?: boolean
    patient: ReactNode
    /** Conflicts and free slots, shown below date and time. */
    slots?: ReactNode
    /** The choice whether the patient leaves the waitlist. */
    waitlist?: ReactNode
    /** Inputs of the recurrence. Appointments of a new series always start as scheduled. */
    recurrence?: ReactNode
    isRepeating?: boolean
    /** Choice of the appointments in the series that the change applies to. */
    scope?: ReactNode
  }

const useText = (control: Control<AppointmentValues>, name: keyof AppointmentValues) => {
  const { field, fieldState } = useController({ control, name })
  return { field, message: fieldState.error?.message }
}

/** All inputs of an appointment. */
export function AppointmentFields(props: AppointmentFieldsProps) {
  const { control, existing = false } = props
  const styles = useFormGrid()
  const reason = useText(control, 'reason')
  const notes = useText(control, 'notes')
  return (
    <div className={styles.grid}>
      <div className={styles.wide}>{props.patient}</div>
      {props.scope && <div className={styles.wide}>{props.scope}</div>}
      {props.providers.length > 1 && (
        <ProviderField
          control={control}
          providers={props.providers}
          canAddProvider={props.canAddProvider}
          onAddProvider={props.onAddProvider}
        />
      )}
      <DateTimeFields
        control={control}
        daySlots={props.daySlots}
        dayNote={props.dayNote}
        getTakenUntil={props.getTakenUntil}
        isFreeTime={props.isFreeTime}
        onFreeTime={props.onFreeTime}
      />
      {props.slots}
      <TypeField control={control} onType={props.onType} />
      <DurationField control={control} onDuration={props.onDuration} />
      {props.waitlist && <div className={styles.wide}>{props.waitlist}</div>}
      {props.recurrence}
      {!props.isRepeating && <StatusField control={control} existing={existing} />}
      <Field label="Reason" className={styles.wide} validationMessage={reason.message}>
        <Input autoComplete="off" {...reason.field} dir="auto" maxLength={500} />
      </Field>
      <Field label="Notes" className={styles.wide} validationMessage={notes.message}>
        <Textarea
          rows={2}
          resize="vertical"
          placeholder="Only staff can read this"
          {...notes.field}
          textarea={{ dir: 'auto' }}
        />
      </Field>
    </div>
  )
}

function ProviderField({ control, providers, canAddProvider, onAddProvider }: ProviderFieldProps) {
  const styles = useFormGrid()
  const { field, message } = useText(control, 'providerId')
  return (
    <Field label="Provider" required className={styles.wide} validationMessage={message}>
      <Select
        {...field}
        onChange={(event, { value }) => (value === addProviderOption ? onAddProvider() : field.onChange(event))}
      >
        {providers.map(({ id, name, title }) => (
          <option key={id} value={id}>
            {[name, title].filter(Boolean).join(', ')}
          </option>
        ))}
        {canAddProvider && <option value={addProviderOption}>Add provider...</option>}
      </Select>
    </Field>
  )
}

function DateTimeFields({ control, daySlots, dayNote, getTakenUntil, isFreeTime, onFreeTime }: DateTimeFieldsProps) {
  const styles = useStyles()
  const date = useText(control, 'date')
  const { field: time, message } = useText(control, 'time')
  const takenUntil = time.value ? getTakenUntil(time.value) : null
  const slots = [...new Set([...daySlots, time.value].filter(Boolean))].toSorted()
  return (
    <div className={styles.twoColumns}>
      <Field
        label="Date"
        required
        validationState={date.message ? 'error' : dayNote ? 'warning' : 'none'}
        validationMessage={date.message ?? dayNote ?? undefined}
      >
        <Input type="date" min="2000-01-01" max="2099-12-31" {...date.field} />
      </Field>
      <Field
        label="Time"
        required
        validationState={message ? 'error' : takenUntil ? 'warning' : 'none'}
        validationMessage={message ?? (takenUntil ? `Taken until ${formatTime(takenUntil)}` : undefined)}
      >
        {isFreeTime ? (
          // The select that had the focus is gone.
          <Input type="time" step={300} autoFocus {...time} />
        ) : (
          <Select
            {...time}
            onChange={(event, { value }) => (value === otherTimeOption ? onFreeTime() : time.onChange(event))}
          >
            {!time.value && <option value="">Choose a time</option>}
            {slots.map((slot) => (
              <option key={slot} value={slot}>
                {formatSlotOption(slot, getTakenUntil(slot))}
              </option>
            ))}
            <option value={otherTimeOption}>Another time...</option>
          </Select>
        )}
      </Field>
    </div>
  )
}

const formatSlotOption = (slot: string, takenUntil: string | null) =>
  takenUntil ? `${formatTime(slot)}, taken until ${formatTime(takenUntil)}` : formatTime(slot)

function TypeField({ control, onType }: FormControl & Pick<AppointmentFieldsProps, 'onType'>) {
  const { field, message } = useText(control, 'type')
  return (
    <Field label="Type" required validationMessage={message}>
      <Select
        {...field}
        onChange={(event, { value }) => {
          field.onChange(event)
          onType?.(value)
        }}
      >
        {!field.value && <option value="">Choose a type</option>}
        {Object.entries(appointmentTypeLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function DurationField({ control, onDuration }: FormControl & Pick<AppointmentFieldsProps, 'onDuration'>) {
  const { field, message } = useText(control, 'duration')
  const options = [...new Set([...durations, Number(field.value)])].toSorted((a, b) => a - b)
  return (
    <Field label="Duration" validationMessage={message}>
      <Select
        {...field}
        onChange={(event, { value }) => {
          field.onChange(event)
          onDuration?.(value)
        }}
      >
        {options.map((minutes) => (
          <option key={minutes} value={minutes}>
            {minutes} minutes
          </option>
        ))}
      </Select>
    </Field>
  )
}

function StatusField({ control, existing }: FormControl & { existing: boolean }) {
  const styles = useFormGrid()
  const { field, message } = useText(control, 'status')
  return (
    <Field label="Status" className={styles.wide} validationMessage={message}>
      <Select {...field}>
        {(existing ? AppointmentStatus : FirstStatus).options.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </Select>
    </Field>
  )
}
