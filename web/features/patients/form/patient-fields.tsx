import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { type ReactNode, useId } from 'react'
import type { Control } from 'react-hook-form'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { TextAreaField, ChoiceField, DateField, TextField } from './form-fields.tsx'
import type { PatientValues } from './form-values.ts'
import { MedicationFields } from './medication-fields.tsx'
import { genderLabels } from '../labels.ts'

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
  one: { gridTemplateColumns: 'minmax(0, 1fr)' },
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
      <div className={mergeClasses(styles.grid, one && styles.one)}>{children}</div>
    </section>
  )
}

type PatientFieldsProps = {
  control: Control<PatientValues>
  /** An existing record can have a date of death. */
  existing?: boolean
}

/** All inputs of a record that the user may change. */
export function PatientFields({ control, existing = false }: PatientFieldsProps) {
  const { wide } = useStyles()
  const clinical = useHasPermission('clinical:write')
  return (
    <div>
      <Group title="Personal">
        <TextField control={control} name="firstName" label="First name" required autoFocus />
        <TextField control={control} name="lastName" label="Last name" required />
        <DateField control={control} name="dateOfBirth" label="Date of birth" />
        <ChoiceField control={control} name="gender" label="Gender" choices={genderLabels} />
        {existing && (
          <DateField control={control} name="deceasedOn" label="Date of death" hint="Leave empty while alive" />
        )}
      </Group>
      <Group title="Contact">
        <TextField control={control} name="email" label="Email" type="email" />
        <TextField control={control} name="phone" label="Phone" type="tel" />
        <TextAreaField control={control} name="address" label="Address" rows={2} className={wide} />
      </Group>
      {clinical && (
        <Group title="Health" one>
          <TextAreaField control={control} name="allergies" label="Allergies" rows={2} hint="One per line" />
          <TextAreaField
            control={control}
            name="medicalHistory"
            label="Medical history"
            rows={3}
            hint="One condition per line"
          />
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
        <TextAreaField control={control} name="notes" label="Notes" rows={3} />
      </Group>
    </div>
  )
}
