import { makeStyles, mergeClasses, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
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
  card: {
    display: 'grid',
    alignContent: 'space-between',
    rowGap: '4px',
    minWidth: 0,
    padding: '14px 20px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    [narrow]: { padding: '10px 12px' },
  },
  label: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '6px',
    color: tokens.colorNeutralForeground2,
    fontWeight: tokens.fontWeightMedium,
    [narrow]: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  },
  icon: { flexShrink: 0, color: tokens.colorNeutralForeground3, [narrow]: { display: 'none' } },
  success: { color: tokens.colorStatusSuccessForeground1 },
  warning: { color: tokens.colorStatusWarningForeground1 },
  error: { color: tokens.colorStatusDangerForeground1 },
  line: { display: 'flex', alignItems: 'baseline', columnGap: '8px', flexWrap: 'wrap' },
  value: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
    [narrow]: { fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  },
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
export function CountCard({ label, value, icon: Icon, tone, note }: CountCardProps) {
  const styles = useStyles()
  return (
    <div className={styles.card}>
      <span className={styles.label}>
        <Icon className={mergeClasses(styles.icon, tone && styles[tone])} fontSize={20} aria-hidden />
        {label}
      </span>
      {value === undefined ? (
        <Skeleton aria-label={`Loading ${label}`}>
          <SkeletonItem size={36} className={styles.loading} />
        </Skeleton>
      ) : (
        <span className={styles.line}>
          <Text className={styles.value}>{value === null ? '-' : formatNumber(value)}</Text>
          {note && <Text className={styles.note}>{note}</Text>}
        </span>
      )}
    </div>
  )
}
