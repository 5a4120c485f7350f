import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import { CalendarLtr20Regular } from '@fluentui/react-icons/svg/calendar-ltr'
import type { FluentIcon } from '@fluentui/react-icons'
import { Lightbulb20Regular } from '@fluentui/react-icons/svg/lightbulb'
import { Money20Regular } from '@fluentui/react-icons/svg/money'
import { People20Regular } from '@fluentui/react-icons/svg/people'
import { PersonAdd20Regular } from '@fluentui/react-icons/svg/person-add'
import type { ReactNode } from 'react'
import { FigureTrend, FigureValue } from '#web/ui/figure-frame.tsx'
import type { Figure, FigureKey } from './figures.ts'
import { SparkLine } from './spark-line.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  card: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
    minWidth: 0,
    borderRadius: tokens.borderRadiusXLarge,
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXL}`,
    display: 'grid',
    alignContent: 'start',
    justifyItems: 'stretch',
    rowGap: '6px',
    [narrow]: { padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}` },
  },
  label: {
    display: 'flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalSNudge,
    margin: 0,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightMedium,
  },
  icon: { color: tokens.colorNeutralForeground3, flexShrink: 0, [narrow]: { display: 'none' } },
  middle: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: tokens.spacingHorizontalS,
    // A history for which a card is too narrow wraps to a second line, which is not shown.
    flexWrap: 'wrap',
    height: tokens.lineHeightHero700,
    overflowY: 'clip',
    [narrow]: { height: tokens.lineHeightBase600 },
  },
  spark: { [narrow]: { display: 'none' } },
  // As tall as what they stand for: nothing moves when it is there.
  valuePlaceholder: {
    width: '40%',
    height: tokens.lineHeightHero700,
    [narrow]: { height: tokens.lineHeightBase600 },
  },
  actionPlaceholder: { width: '80%', height: '24px', [narrow]: { height: '32px' } },
})

const figureIcons: Record<FigureKey, FluentIcon> = {
  todaysAppointments: CalendarLtr20Regular,
  totalPatients: People20Regular,
  aiInsights: Lightbulb20Regular,
  revenue: Money20Regular,
  newPatients: PersonAdd20Regular,
}

type StatCardProps = {
  figure: Figure
  /** Button that opens the records behind the figure. */
  action?: ReactNode
}

/** Figure with label, value, trend and recent history. */
export function StatCard({ figure: { key, label, value, trend, direction, history }, action }: StatCardProps) {
  const styles = useStyles()
  const Icon = figureIcons[key]
  return (
    <div className={styles.card} data-testid={`demo-stat-${key}`}>
      <h2 className={styles.label}>
        <Icon className={styles.icon} aria-hidden />
        {label}
      </h2>
      <div className={styles.middle}>
        <FigureValue value={value} />
        {history.length > 1 && (
          <span className={styles.spark}>
            <SparkLine values={history} />
          </span>
        )}
      </div>
      <FigureTrend direction={direction}>{trend}</FigureTrend>
      {action}
    </div>
  )
}

/** Placeholder while the figure loads. */
export function StatCardSkeleton() {
  const styles = useStyles()
  return (
    <Skeleton className={styles.card} aria-hidden>
      <SkeletonItem size={20} style={{ width: '60%' }} />
      <SkeletonItem className={styles.valuePlaceholder} />
      <SkeletonItem size={16} style={{ width: '70%' }} />
      <SkeletonItem className={styles.actionPlaceholder} />
    </Skeleton>
  )
}
