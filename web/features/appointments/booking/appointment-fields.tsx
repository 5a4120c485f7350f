import { Field, Input, makeStyles, Select, Textarea, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { Provider } from '#contracts/providers.ts'
import { AppointmentStatus, daySlots, FirstStatus } from '#contracts/values/appointments.ts'
import { formatTime } from '../local-time.ts'
import type { AppointmentValues } from './appointment-form.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '14px',
    alignItems: 'start',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Input': { minWidth: 0 },
  },
  two: {
    gridColumn: '1 / -1',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    alignItems: 'start',
  },
  wide: { gridColumn: '1 / -1' },
  warn: { color: tokens.colorStatusWarningForeground1 },
})

const lengths = [15, 20, 30, 45, 60, 90, 120]
/** Stands for the choice of adding somebody; no id looks like it. */
export const addProviderOption = 'add'
const otherTime = 'other'

type AppointmentFieldsProps = {
  control: Control<AppointmentValues>
  providers: readonly Provider[]
  mayAddProvider: boolean
  onAddProvider: () => void
  /** When those end who are there at a slot, HH:mm; null when it is free. */
  takenUntil: (slot: string) => string | null
  /** An edit can have any status, a new appointment one with which it can begin. */
  existing?: boolean
  /** Typed a time beside the thirteen slots. */
  freeTime: boolean
  onFreeTime: () => void
  /** Who it is for, above; what is in the way and what is free, below date and time. */
  patient: ReactNode
  slots?: ReactNode
  /** How the appointment repeats, and whether it does: then each begins as scheduled. */
  repeat?: ReactNode
  repeats?: boolean
  /** Which appointments of a row the change is for. */
  scope?: ReactNode
}

const useText = (control: Control<AppointmentValues>, name: keyof AppointmentValues) => {
  const { field, fieldState } = useController({ control, name })
  return { field, message: fieldState.error?.message }
}

/** Everything an appointment has. Enter in a list of choices sends the form, as it does in a line of text. */
export function AppointmentFields(props: AppointmentFieldsProps) {
  const { control, providers, existing = false, takenUntil, freeTime, onFreeTime, onAddProvider } = props
  const styles = useStyles()
  const date = useText(control, 'date')
  const time = useText(control, 'time')
  const provider = useText(control, 'providerId')
  const type = useText(control, 'type')
  const duration = useText(control, 'duration')
  const status = useText(control, 'status')
  const reason = useText(control, 'reason')
  const notes = useText(control, 'notes')
  const until = time.field.value ? takenUntil(time.field.value) : null
  const warning = time.message ?? (until ? `Taken until ${formatTime(until)}` : undefined)
  const slots = [...new Set([...daySlots, time.field.value].filter(Boolean))].toSorted()
  const minutes = [...new Set([...lengths, Number(duration.field.value)])].toSorted((a, b) => a - b)
  const showProviders = providers.length > 1
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles.grid}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return
        event.preventDefault()
        event.target.form?.requestSubmit()
      }}
    >
      <div className={styles.wide}>{props.patient}</div>
      {props.scope && <div className={styles.wide}>{props.scope}</div>}
      {showProviders && (
        <Field label="Provider" required className={styles.wide} validationMessage={provider.message}>
          <Select
            {...provider.field}
            onChange={(event, { value }) =>
              value === addProviderOption ? onAddProvider() : provider.field.onChange(event)
            }
          >
            {providers.map(({ id, name, title }) => (
              <option key={id} value={id}>
                {[name, title].filter(Boolean).join(', ')}
              </option>
            ))}
            {props.mayAddProvider && <option value={addProviderOption}>Add provider...</option>}
          </Select>
        </Field>
      )}
      <div className={styles.two}>
        <Field label="Date" required validationMessage={date.message}>
          <Input type="date" min="2000-01-01" max="2099-12-31" {...date.field} />
        </Field>
        <Field
          label="Time"
          required
          validationState={time.message ? 'error' : until ? 'warning' : 'none'}
          validationMessage={warning}
        >
          {freeTime ? (
            <Input type="time" step={300} {...time.field} />
          ) : (
            <Select
              {...time.field}
              onChange={(event, { value }) => (value === otherTime ? onFreeTime() : time.field.onChange(event))}
            >
              {!time.field.value && <option value="">Choose a time</option>}
              {slots.map((slot) => {
                const busy = takenUntil(slot)
                return (
                  <option key={slot} value={slot}>
                    {busy ? `${formatTime(slot)}, taken until ${formatTime(busy)}` : formatTime(slot)}
                  </option>
                )
              })}
              <option value={otherTime}>Another time...</option>
            </Select>
          )}
        </Field>
      </div>
      {props.slots}
      <Field label="Type" required validationMessage={type.message}>
        <Select {...type.field}>
          {!type.field.value && <option value="">Choose a type</option>}
          {Object.entries(appointmentTypeLabels).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Duration" validationMessage={duration.message}>
        <Select {...duration.field}>
          {minutes.map((each) => (
            <option key={each} value={each}>
              {each} minutes
            </option>
          ))}
        </Select>
      </Field>
      {props.repeat}
      {!props.repeats && (
        <Field label="Status" className={styles.wide} validationMessage={status.message}>
          <Select {...status.field}>
            {(existing ? AppointmentStatus : FirstStatus).options.map((each) => (
              <option key={each} value={each}>
                {statusLabels[each]}
              </option>
            ))}
          </Select>
        </Field>
      )}
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
