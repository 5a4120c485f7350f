import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ArrowDownRightFilled } from '@fluentui/react-icons/svg/arrow-down-right'
import { ArrowUpRight12Filled } from '@fluentui/react-icons/svg/arrow-up-right'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { notEnoughData } from './format.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  card: {
    display: 'grid',
    alignContent: 'start',
    rowGap: '6px',
    minWidth: 0,
    padding: '16px 20px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    [narrow]: { padding: '12px' },
  },
  dense: { rowGap: '4px', padding: '14px 20px', [narrow]: { padding: '10px 12px' } },
  label: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '6px',
    margin: 0,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightMedium,
    [narrow]: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  },
  icon: { flexShrink: 0, color: tokens.colorNeutralForeground3, [narrow]: { display: 'none' } },
  value: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
    [narrow]: { fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  },
  missing: { lineHeight: tokens.lineHeightHero700, [narrow]: { lineHeight: tokens.lineHeightBase600 } },
  trend: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '4px',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  up: { color: tokens.colorStatusSuccessForeground1 },
  down: { color: tokens.colorStatusDangerForeground1 },
  none: { color: tokens.colorNeutralForeground3 },
})

type FigureFrameProps = {
  label: string
  icon: FluentIcon
  /** Class of the icon, for one in the color of a status. */
  iconClass?: string | undefined
  /** Less space around and between the lines. */
  isDense?: boolean
  className?: string
  children: ReactNode
}

/** Card of one figure: its icon and label, and below them what it shows. The icon is hidden on a phone. */
export function FigureFrame({ label, icon: Icon, iconClass, isDense = false, className, children }: FigureFrameProps) {
  const styles = useStyles()
  return (
    <div className={mergeClasses(styles.card, isDense && styles.dense, className)}>
      <h2 className={styles.label}>
        <Icon className={mergeClasses(styles.icon, iconClass)} aria-hidden />
        {label}
      </h2>
      {children}
    </div>
  )
}

/** The value of a figure; null when it cannot be computed yet. */
export function FigureValue({ value }: { value: string | null }) {
  const styles = useStyles()
  return <Text className={value === null ? styles.missing : styles.value}>{value ?? notEnoughData}</Text>
}

const arrows = { up: ArrowUpRight12Filled, down: ArrowDownRightFilled, none: null }

/** The change of a figure, with an arrow that has the color of a good or a bad one. */
export function FigureTrend({ direction, children }: { direction: 'up' | 'down' | 'none'; children: ReactNode }) {
  const styles = useStyles()
  const Arrow = arrows[direction]
  return (
    <Text className={mergeClasses(styles.trend, styles[direction])}>
      {Arrow && <Arrow aria-hidden />}
      {children}
    </Text>
  )
}
