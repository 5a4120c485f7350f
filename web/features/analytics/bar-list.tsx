import { makeStyles, Text, tokens } from '@fluentui/react-components'
import type { CSSProperties } from 'react'
import type { ShareModel } from './analytics-model.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '14px' },
  row: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', rowGap: '6px', columnGap: '12px' },
  label: { overflowWrap: 'anywhere' },
  value: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums' },
  track: {
    gridColumn: '1 / -1',
    height: '6px',
    borderRadius: '3px',
    backgroundColor: tokens.colorNeutralBackground4,
    overflow: 'hidden',
  },
  fill: {
    display: 'block',
    height: '100%',
    width: 'var(--part)',
    borderRadius: '3px',
    backgroundColor: tokens.colorBrandStroke1,
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'Highlight' },
  },
})

/** Parts of a whole, or marks of 100: a label, a number, and a bar that says the same. */
export function BarList({ shares }: { shares: readonly ShareModel[] }) {
  const styles = useStyles()
  return (
    <ul className={styles.list}>
      {shares.map(({ label, part, shown }) => (
        <li key={label} className={styles.row}>
          <Text className={styles.label}>{label}</Text>
          <Text className={styles.value}>{shown}</Text>
          <span className={styles.track} aria-hidden="true">
            <span className={styles.fill} style={{ '--part': `${part}%` } as CSSProperties} />
          </span>
        </li>
      ))}
    </ul>
  )
}
