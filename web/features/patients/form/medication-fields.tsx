import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { type Control, useFieldArray } from 'react-hook-form'
import { TextField } from './form-fields.tsx'
import type { PatientValues } from './form-values.ts'

const useStyles = makeStyles({
  group: { display: 'grid', rowGap: '8px', justifyItems: 'start', border: 'none', margin: 0, padding: 0, minWidth: 0 },
  medication: {
    width: '100%',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1fr) 32px',
    columnGap: '8px',
    rowGap: '8px',
    alignItems: 'start',
    '@media (max-width: 639px)': {
      gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
      padding: '8px 0 12px',
      borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    },
    '& .fui-Input': { minWidth: 0 },
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  wide: { '@media (max-width: 639px)': { gridColumn: '1 / -1' } },
  remove: {
    marginTop: '26px',
    '@media (max-width: 639px)': { marginTop: 0, gridColumn: '1 / -1', justifySelf: 'start' },
  },
})

/** Inputs of a list of medications with dose and frequency. */
export function MedicationFields({ control }: { control: Control<PatientValues> }) {
  const styles = useStyles()
  const { fields, append, remove } = useFieldArray({ control, name: 'medications' })
  return (
    <div role="group" aria-label="Medications" className={styles.group}>
      <Text>Medications</Text>
      {fields.map(({ id }, index) => (
        <div key={id} className={styles.medication}>
          <TextField control={control} name={`medications.${index}.name`} label="Name" className={styles.wide} />
          <TextField control={control} name={`medications.${index}.dosage`} label="Dose" />
          <TextField control={control} name={`medications.${index}.frequency`} label="How often" />
          <Button
            className={styles.remove}
            appearance="subtle"
            icon={<DismissRegular />}
            aria-label={`Remove medication ${index + 1}`}
            onClick={({ currentTarget }) => {
              keepFocusBeside(currentTarget)
              remove(index)
            }}
          />
        </div>
      ))}
      <Button icon={<AddRegular />} onClick={() => append({ name: '', dosage: '', frequency: '' })}>
        Add medication
      </Button>
    </div>
  )
}
