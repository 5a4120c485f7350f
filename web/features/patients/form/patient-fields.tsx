import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { memo, type ReactNode, useId } from 'react'
import type { Control } from 'react-hook-form'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { DateField } from '#web/forms/date-field.tsx'
import { usePracticeToday } from '#web/entities/practices/practice-time.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { TextAreaField, TextField } from './form-fields.tsx'
import type { PatientValues } from './form-values.ts'
import { AllergyFields } from './allergy-fields.tsx'
import { MedicationFields } from './medication-fields.tsx'
import { type FieldGroup, findField, textFieldNames } from '../fields.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  group: {
    padding: '16px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none', paddingTop: 0 },
    ':last-child': { paddingBottom: '4px' },
  },
  heading: {
    margin: '0 0 12px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
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
  singleColumn: { gridTemplateColumns: 'minmax(0, 1fr)' },
  wide: { gridColumn: '1 / -1' },
})

function Group({ title, one, children }: { title: string; one?: boolean; children: ReactNode }) {
  const styles = useStyles()
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>
        {title}
      </h3>
      <div className={mergeClasses(styles.grid, one && styles.singleColumn)}>{children}</div>
    </section>
  )
}

type PatientFieldsProps = {
  control: Control<PatientValues>
  /** True when the record exists already. */
  existing?: boolean | undefined
}

type FieldsOfGroupProps = PatientFieldsProps & { group: FieldGroup }

/** The text fields of one group of the form. */
function FieldsOfGroup({ control, existing = false, group }: FieldsOfGroupProps) {
  const { wide } = useStyles()
  const today = usePracticeToday()
  return textFieldNames.map((name) => {
    const { group: ownGroup, input, label, isRequired, isForExisting, hint, rows, choices } = findField(name)
    if (ownGroup !== group || input === 'allergies' || (isForExisting && !existing)) return null
    const shared = { control, name, label, hint, required: isRequired }
    if (input === 'date') return <DateField key={name} {...shared} max={today} />
    if (input === 'choice')
      return (
        <ChoiceField
          key={name}
          control={control}
          name={name}
          label={label}
          choices={choices ?? {}}
          none="Not specified"
        />
      )
    if (input === 'lines') return <TextAreaField key={name} {...shared} rows={rows} className={wide} />
    return (
      <TextField
        key={name}
        {...shared}
        type={input === 'email' || input === 'tel' ? input : 'text'}
        autoFocus={name === 'firstName'}
      />
    )
  })
}

/**
 * The fields of a record that this user may write. They are not rendered again when the dialog around them is, as it is twice when the
 * form is sent.
 */
export const PatientFields = memo(function PatientFields({ control, existing }: PatientFieldsProps) {
  const canWriteClinical = useHasPermission('clinical:write')
  return (
    <div>
      <Group title="Personal">
        <FieldsOfGroup control={control} existing={existing} group="personal" />
      </Group>
      <Group title="Contact">
        <FieldsOfGroup control={control} group="contact" />
      </Group>
      {canWriteClinical && (
        <Group title="Health" one>
          <AllergyFields control={control} />
          <FieldsOfGroup control={control} group="health" />
          <MedicationFields control={control} />
        </Group>
      )}
      <Group title="Emergency contact">
        <TextField control={control} name="emergencyContact.name" label="Contact name" />
        <TextField control={control} name="emergencyContact.relationship" label="Relationship" />
        <TextField control={control} name="emergencyContact.phone" label="Contact phone" type="tel" />
      </Group>
      <Group title="Insurance">
        <TextField control={control} name="insuranceInfo.provider" label="Provider" />
        <TextField control={control} name="insuranceInfo.policyNumber" label="Policy number" />
        <TextField control={control} name="insuranceInfo.groupNumber" label="Group number" />
        <TextField control={control} name="insuranceInfo.memberName" label="Member name" />
      </Group>
      <Group title="Notes" one>
        <FieldsOfGroup control={control} group="notes" />
      </Group>
    </div>
  )
})
