import { makeStyles, tokens } from '@fluentui/react-components'
import { formatCount } from './format.ts'

const useStyles = makeStyles({
  count: {
    display: 'inline-block',
    padding: '0 10px',
    lineHeight: '24px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground4,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightMedium,
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
})

/** The number of rows, announced when it changes. `total` is null while it is loading. */
export function CountBadge({ total, noun }: { total: number | null; noun: string }) {
  const styles = useStyles()
  return (
    <span aria-live="polite">{total !== null && <span className={styles.count}>{formatCount(total, noun)}</span>}</span>
  )
}
