import { makeStyles, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { FigureFrame, FigureValue } from './figure-frame.tsx'
import { formatNumber } from './format.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  row: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(0, 1fr))',
    gridAutoFlow: 'column',
    gridAutoColumns: 'minmax(0, 1fr)',
    columnGap: '16px',
    [narrow]: { columnGap: '8px' },
    // Four are too narrow for their numbers on a phone.
    ':has(> :nth-child(4))': {
      [narrow]: { gridAutoFlow: 'row', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', rowGap: '8px' },
    },
  },
  // Labels of one or two lines leave the numbers in one.
  card: { alignContent: 'space-between' },
  success: { color: tokens.colorStatusSuccessForeground1 },
  warning: { color: tokens.colorStatusWarningForeground1 },
  error: { color: tokens.colorStatusDangerForeground1 },
  line: { display: 'flex', alignItems: 'baseline', columnGap: '8px', flexWrap: 'wrap' },
  note: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    [narrow]: { display: 'none' },
  },
  loading: { width: '64px' },
})

/** Row of count cards, up to three of them side by side at any width. */
export function CountCardRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={useStyles().row} aria-label={label}>
      {children}
    </section>
  )
}

type CountCardProps = {
  label: string
  /** Undefined while it is loading; null when it could not be loaded. */
  value: number | null | undefined
  icon: FluentIcon
  tone?: 'success' | 'warning' | 'error'
  /** Detail that the number does not show; hidden on a phone. */
  note?: string | undefined
}

/** A count without a trend, because it is a state and not a movement. The icon has the color of the status that it counts. */
export function CountCard({ label, value, icon, tone, note }: CountCardProps) {
  const styles = useStyles()
  return (
    <FigureFrame className={styles.card} icon={icon} iconClass={tone && styles[tone]} label={label} isDense>
      {value === undefined ? (
        <Skeleton aria-label={`Loading ${label}`}>
          <SkeletonItem size={36} className={styles.loading} />
        </Skeleton>
      ) : (
        <span className={styles.line}>
          <FigureValue value={value === null ? '-' : formatNumber(value)} />
          {note && <Text className={styles.note}>{note}</Text>}
        </span>
      )}
    </FigureFrame>
  )
}
