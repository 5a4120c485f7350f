import { Field, Input, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Control, useController } from 'react-hook-form'
import { changeFees, type FeeSchedule } from '#contracts/fees.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { feesQuery, useUpdateFees } from '../api.ts'
import { parseDollars, formatDollars } from './dollars.ts'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'

const useStyles = makeStyles({
  field: { gridTemplateColumns: 'minmax(0, 1fr) 136px', alignItems: 'center', width: '100%' },
  row: { gridTemplateColumns: 'minmax(0, 1fr)', padding: '8px 0', boxSizing: 'border-box' },
  number: { '& input': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } },
  invalid: { '::after': { borderBottomColor: tokens.colorStatusDangerBorder2 } },
  note: { paddingTop: '12px', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
})

/** Fees of completed appointments by type. */
export function FeesSection() {
  const canEdit = useHasPermission('settings')
  return (
    <Panel title="Fees" note="By type of appointment">
      {canEdit ? <Fees /> : <SectionForbidden subject="Fees" />}
    </Panel>
  )
}

function Fees() {
  return (
    <LoadedSection query={useQuery(feesQuery)} subject="Fees" loadingSubject="the fees" rows={5}>
      {(schedule) => <FeesForm schedule={schedule} />}
    </LoadedSection>
  )
}

const toValues = ({ fees }: FeeSchedule): TextValues =>
  Object.fromEntries(Object.entries(fees).map(([type, { cents }]) => [type, formatDollars(cents)]))
/** Converts input to cents: "90" and "90.00" are the same fee; invalid amounts become NaN, which validation rejects. */
const toCents = (changed: TextValues): Partial<Record<AppointmentType, number>> =>
  Object.fromEntries(Object.entries(changed).map(([type, typed]) => [type, parseDollars(typed)]))

function FeesForm({ schedule }: { schedule: FeeSchedule }) {
  const styles = useStyles()
  const queries = useQueryClient()
  const change = useUpdateFees()
  const form = useConflictForm({
    ...describeTextRecord(schedule, toValues),
    schema: changeFees.body,
    toChange: (before, after) => ({ fees: toCents(pickChangedTexts(before, after)) }),
    save: (fees, { revision }) => change.mutateAsync({ ...fees, revision }),
    reload: () => fetchNewest(queries, feesQuery),
    saved: 'Fees saved',
    failed: 'Failed to save the fees',
  })
  return (
    <SectionForm form={form} labels={appointmentTypeLabels} subject="the fees" action="Save fees">
      <SettingsList label="Fees">
        {Object.entries(appointmentTypeLabels).map(([type, word]) => (
          <SettingsRow key={type} className={styles.row}>
            <FeeField control={form.control} name={type} label={word} />
          </SettingsRow>
        ))}
      </SettingsList>
      <SecondaryText as="p" className={styles.note}>
        A fee is fixed when an appointment is completed. Changes here do not affect past appointments.
      </SecondaryText>
    </SectionForm>
  )
}

function FeeField({ control, name, label }: { control: Control<TextValues>; name: string; label: string }) {
  const styles = useStyles()
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name })
  const wrong = fieldState.error?.message
  return (
    <Field
      label={label}
      orientation="horizontal"
      className={styles.field}
      {...(wrong ? { validationMessage: wrong } : {})}
    >
      <Input
        className={mergeClasses(styles.number, wrong && styles.invalid)}
        contentBefore={<span aria-hidden="true">$</span>}
        inputMode="decimal"
        autoComplete="off"
        name={name}
        ref={ref}
        value={value ?? ''}
        onBlur={onBlur}
        onChange={(_, { value: typed }) => onChange(typed)}
      />
    </Field>
  )
}
