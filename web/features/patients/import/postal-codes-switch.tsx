import { makeStyles, Switch, tokens } from '@fluentui/react-components'
import { useId } from 'react'
import type { ImportPreview } from '#contracts/patient-import.ts'
import { formatNumber } from '#web/ui/format.ts'
import { SecondaryText } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  root: { padding: '4px 12px 12px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  hint: { display: 'block', paddingLeft: '56px', marginTop: '-2px' },
})

type PostalCodesSwitchProps = {
  found: ImportPreview['shortPostalCodes']
  isOn: boolean
  isPending: boolean
  onChange: (isOn: boolean) => void
}

/** Switch to restore the leading zeros that a spreadsheet removed from US postal codes; nothing when there are none. */
export function PostalCodesSwitch({ found, isOn, isPending, onChange }: PostalCodesSwitchProps) {
  const styles = useStyles()
  const hintId = useId()
  if (!found) return null
  const { count, isLikely, example } = found
  return (
    <div className={styles.root}>
      <Switch
        checked={isOn}
        disabled={isPending}
        aria-describedby={hintId}
        onChange={(_, { checked }) => onChange(checked)}
        label={
          count === 1
            ? 'Restore the leading zero of 1 postal code'
            : `Restore the leading zeros of ${formatNumber(count)} postal codes`
        }
      />
      <SecondaryText id={hintId} className={styles.hint}>
        {example.value} in row {example.row} becomes {example.restored}. Spreadsheets remove zeros at the start of a
        number.{' '}
        {isLikely
          ? 'The state or country of the address fits.'
          : 'Not every row names a state or country, so please check that these addresses are in the United States.'}
      </SecondaryText>
    </div>
  )
}
