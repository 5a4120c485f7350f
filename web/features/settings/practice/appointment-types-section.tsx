import { Dropdown, Field, Input, makeStyles, mergeClasses, Option, tokens } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Control, useController } from 'react-hook-form'
import type { AppointmentTypeSchedule } from '#contracts/appointment-types.ts'
import { changeAppointmentTypes } from '#contracts/appointment-types.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { Colour } from '#contracts/values/colours.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import type { TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { ColourDot } from '#web/ui/colour-dot.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { appointmentTypesQuery, useUpdateAppointmentTypes } from '../api.ts'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import {
  appointmentTypeFields,
  colourLabels,
  fieldLabels,
  formatSetting,
  noColour,
  toChange,
  toInput,
  toValues,
} from './appointment-types-form.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  row: { display: 'block', padding: '10px 0', boxSizing: 'border-box' },
  type: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '8px',
    rowGap: '4px',
    alignItems: 'start',
    border: 'none',
    margin: 0,
    padding: 0,
    minWidth: 0,
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
  },
  name: { gridColumn: '1 / -1', fontWeight: tokens.fontWeightSemibold },
  field: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    minWidth: 0,
    '& .fui-Input': { minWidth: 0 },
  },
  colour: { [narrow]: { gridColumn: '1 / -1' } },
  number: { '& input': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', minWidth: 0 } },
  invalid: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } },
  dropdown: { minWidth: 0, width: '100%' },
  heads: {
    paddingBottom: '4px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    [narrow]: { display: 'none' },
  },
  note: { paddingTop: '12px', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
})

/** The usual duration, the fee and the color of each appointment type. */
export function AppointmentTypesSection({ practiceId }: { practiceId: string }) {
  const canEdit = useHasPermission('settings')
  return (
    <Panel title="Appointment types" note="Usual duration, fee and color">
      {canEdit ? <AppointmentTypes practiceId={practiceId} /> : <SectionForbidden subject="Appointment types" />}
    </Panel>
  )
}

function AppointmentTypes({ practiceId }: { practiceId: string }) {
  const query = useQuery(appointmentTypesQuery)
  return (
    <LoadedSection query={query} subject="Appointment types" loadingSubject="the appointment types" rows={5}>
      {(schedule) => <AppointmentTypesForm practiceId={practiceId} schedule={schedule} />}
    </LoadedSection>
  )
}

type FormProps = { practiceId: string; schedule: AppointmentTypeSchedule }

function AppointmentTypesForm({ practiceId, schedule }: FormProps) {
  const styles = useStyles()
  const queries = useQueryClient()
  const change = useUpdateAppointmentTypes(practiceId)
  const form = useConflictForm({
    base: schedule,
    fields: appointmentTypeFields,
    toValues,
    format: formatSetting,
    toInput,
    schema: changeAppointmentTypes.body,
    toChange,
    save: (types, { revision }) => change.mutateAsync({ ...types, revision }),
    reload: () => fetchNewest(queries, appointmentTypesQuery),
    saved: 'Appointment types saved',
    failed: 'Failed to save the appointment types',
  })
  return (
    <SectionForm form={form} labels={fieldLabels} subject="the appointment types" action="Save appointment types">
      <div className={mergeClasses(styles.type, styles.heads)} aria-hidden>
        <span>Duration</span>
        <span>Fee</span>
        <span>Color</span>
      </div>
      <SettingsList label="Appointment types">
        {Object.entries(appointmentTypeLabels).map(([type, name]) => (
          <SettingsRow key={type} className={styles.row}>
            <div className={styles.type} role="group" aria-label={name}>
              <span className={styles.name} aria-hidden>
                {name}
              </span>
              <NumberField control={form.control} type={type as AppointmentType} setting="duration" />
              <NumberField control={form.control} type={type as AppointmentType} setting="fee" />
              <ColourField control={form.control} type={type as AppointmentType} />
            </div>
          </SettingsRow>
        ))}
      </SettingsList>
      <SecondaryText as="p" className={styles.note}>
        The booking form proposes the duration; booked appointments keep theirs. A fee is fixed when an appointment is
        completed. Changes here do not affect past appointments.
      </SecondaryText>
    </SectionForm>
  )
}

type FieldProps = { control: Control<TextValues>; type: AppointmentType }

function NumberField({ control, type, setting }: FieldProps & { setting: 'duration' | 'fee' }) {
  const styles = useStyles()
  const { field, fieldState } = useController({ control, name: toInput(`${type}.${setting}`) })
  const { ref, name, value, onChange, onBlur } = field
  const wrong = fieldState.error?.message
  const unit =
    setting === 'fee'
      ? { contentBefore: <span aria-hidden="true">$</span>, inputMode: 'decimal' as const }
      : { contentAfter: <span aria-hidden="true">min</span>, inputMode: 'numeric' as const }
  return (
    <Field className={styles.field} {...(wrong ? { validationMessage: wrong } : {})}>
      <Input
        className={mergeClasses(styles.number, wrong && styles.invalid)}
        aria-label={fieldLabels[`${type}.${setting}`]}
        autoComplete="off"
        name={name}
        ref={ref}
        value={value ?? ''}
        onBlur={onBlur}
        onChange={(_, { value: typed }) => onChange(typed)}
        {...unit}
      />
    </Field>
  )
}

function ColourField({ control, type }: FieldProps) {
  const styles = useStyles()
  const {
    field: { ref, name, value = noColour, onChange, onBlur },
    fieldState,
  } = useController({ control, name: toInput(`${type}.colour`) })
  const wrong = fieldState.error?.message
  const chosen = Colour.safeParse(value).data
  return (
    <Field className={mergeClasses(styles.field, styles.colour)} {...(wrong ? { validationMessage: wrong } : {})}>
      <Dropdown
        ref={ref}
        name={name}
        className={styles.dropdown}
        aria-label={fieldLabels[`${type}.colour`]}
        inlinePopup
        selectedOptions={[value]}
        value={colourLabels[value] ?? ''}
        button={{
          children: (
            // One element: the button is a grid, in which the dot and the name would be cells of their own.
            <span>
              {chosen && <ColourDot colour={chosen} />}
              {colourLabels[value]}
            </span>
          ),
        }}
        onOptionSelect={(_, { optionValue }) => optionValue !== undefined && onChange(optionValue)}
        onBlur={onBlur}
      >
        {[noColour, ...Colour.options].map((option) => (
          <Option key={option} value={option} text={colourLabels[option] ?? ''}>
            {option !== noColour && <ColourDot colour={option as Colour} />}
            {colourLabels[option]}
          </Option>
        ))}
      </Dropdown>
    </Field>
  )
}
