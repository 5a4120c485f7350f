import { Link, makeStyles, mergeClasses, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { ArrowDownRightFilled } from '@fluentui/react-icons/svg/arrow-down-right'
import { ArrowUpRight12Filled } from '@fluentui/react-icons/svg/arrow-up-right'
import { CalendarCheckmark20Regular } from '@fluentui/react-icons/svg/calendar-checkmark'
import { Money20Regular } from '@fluentui/react-icons/svg/money'
import { People20Regular } from '@fluentui/react-icons/svg/people'
import { Star20Regular } from '@fluentui/react-icons/svg/star'
import type { FluentIcon } from '@fluentui/react-icons'
import { type CardKey, type FigureCardModel, notEnoughData } from './analytics-model.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  card: {
    display: 'grid',
    alignContent: 'start',
    justifyItems: 'start',
    rowGap: '6px',
    minWidth: 0,
    padding: '16px 20px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    [narrow]: { padding: '12px' },
  },
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
  note: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '4px',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  up: { color: tokens.colorStatusSuccessForeground1 },
  down: { color: tokens.colorStatusDangerForeground1 },
  none: { color: tokens.colorNeutralForeground3 },
  open: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200, textAlign: 'left' },
  skeleton: { width: '100%' },
})

const icons: Record<CardKey, FluentIcon> = {
  'patient-growth': People20Regular,
  'appointment-rate': CalendarCheckmark20Regular,
  'revenue-growth': Money20Regular,
  satisfaction: Star20Regular,
}
const arrows = { up: ArrowUpRight12Filled, down: ArrowDownRightFilled, none: null }

type FigureCardProps = {
  figure: FigureCardModel
  /** Opens the records behind the figure; null in the demo, whose figures stand for none. */
  onOpen: (() => void) | null
}

/** A figure with its change, and the number of records behind it. */
export function FigureCard({ figure, onOpen }: FigureCardProps) {
  const styles = useStyles()
  const { key, label, value, note, direction, openLabel } = figure
  const Icon = icons[key]
  const Arrow = arrows[direction]
  return (
    <div className={styles.card}>
      <h2 className={styles.label}>
        <Icon className={styles.icon} aria-hidden />
        {label}
      </h2>
      <Text className={value === null ? styles.missing : styles.value}>{value ?? notEnoughData}</Text>
      {note && (
        <Text className={mergeClasses(styles.note, styles[direction])}>
          {Arrow && <Arrow aria-hidden />}
          {note}
        </Text>
      )}
      {onOpen && openLabel && (
        <Link as="button" className={styles.open} onClick={onOpen} aria-label={`${openLabel} behind ${label}`}>
          {openLabel}
        </Link>
      )}
    </div>
  )
}

/** Placeholder while a figure loads. */
export function FigureCardSkeleton() {
  const styles = useStyles()
  return (
    <div className={styles.card}>
      <Skeleton className={styles.skeleton} aria-label="Loading the figures">
        <SkeletonItem size={20} />
        <SkeletonItem size={36} />
      </Skeleton>
    </div>
  )
}
