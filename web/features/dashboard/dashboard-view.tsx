import { Link, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { InsightsPanel, QuickActions, RecentActivity } from './panels/dashboard-panels.tsx'
import type { FigureAppointments, FigureExplanation, Figure, FigureKey } from './figures/figures.ts'
import type { Dashboard } from './dashboard-model.ts'
import { PanelError } from './panels/loadable-panel.tsx'
import { RecentForms } from './panels/recent-forms.tsx'
import { StatCard, StatCardSkeleton } from './figures/stat-card.tsx'
import { SystemStatus } from './panels/system-status.tsx'
import { TodaysSchedule } from './panels/todays-schedule.tsx'
import { createLate } from '#web/ui/late.tsx'
import { useIsPainted } from '#web/ui/use-is-painted.ts'
import { TrendsPanel } from './trends/trends-panel.tsx'

const FigureDetailsDrawer = createLate(() =>
  import('./figures/figure-details-drawer.tsx').then(({ FigureDetailsDrawer: it }) => it),
)

const medium = '@media (max-width: 1151px)'
const narrow = '@media (max-width: 639px)'
const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  stats: {
    display: 'grid',
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '12px',
    [medium]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
    [small]: { columnGap: '12px' },
  },
  fullWidth: { gridColumn: '1 / -1' },
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
    gridTemplateRows: 'auto 1fr',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'stretch',
    [medium]: { gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: 'none' },
    [small]: { rowGap: '12px' },
  },
  // Below the schedule, whose height is known only when it is loaded: until then they would move.
  waiting: { [medium]: { '& > :not(:first-child)': { display: 'none' } } },
  tall: { gridRow: 'span 2', [medium]: { gridRow: 'auto' } },
  wide: { gridColumn: '1 / -1' },
  open: {
    justifySelf: 'start',
    textAlign: 'left',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    minHeight: '24px',
    // Two lines, which the longest text needs on a phone.
    [narrow]: { minHeight: '32px' },
  },
})

type Details = FigureAppointments | FigureExplanation

/** Returns what the drawer shows for a figure; null for one that opens a screen, or is no longer shown. */
function findDetails(figures: readonly Figure[], key: FigureKey): Details | null {
  const drillDown = figures.find((figure) => figure.key === key)?.drillDown
  if (!drillDown || 'to' in drillDown) return null
  return 'appointments' in drillDown ? drillDown.appointments : drillDown.explained
}

/** All sections of the dashboard, in the order of the spec. */
export function DashboardView({ dashboard, banner }: { dashboard: Dashboard; banner?: ReactNode }) {
  const styles = useStyles()
  const [opened, setOpened] = useState<FigureKey | Details | null>(null)
  const isPainted = useIsPainted()
  const {
    isDemo,
    hasRecords,
    isReadOnly,
    now,
    time,
    figures,
    appointments,
    patients,
    insights,
    forms,
    trends,
    period,
    onPeriod,
    system,
  } = dashboard
  // A figure by its key: its records may still be loading when it is opened.
  const details = typeof opened === 'string' ? findDetails(figures.data ?? [], opened) : opened
  const isWaiting = !isReadOnly && !appointments.data && !appointments.error
  return (
    <>
      {banner}
      <div className={styles.stats}>
        {figures.data ? (
          figures.data.map((figure) => (
            <StatCard
              key={figure.key}
              figure={figure}
              action={<OpenFigureButton figure={figure} onOpen={setOpened} />}
            />
          ))
        ) : figures.error ? (
          <div className={styles.fullWidth}>
            <PanelError
              title="Unable to load the figures"
              hint="The rest of the dashboard is available."
              onRetry={figures.refetch}
            />
          </div>
        ) : (
          [0, 1, 2, 3].map((place) => <StatCardSkeleton key={place} />)
        )}
      </div>
      <div className={mergeClasses(styles.grid, isWaiting && styles.waiting)}>
        {!isReadOnly && (
          <TodaysSchedule appointments={appointments} hasRecords={hasRecords} now={time} className={styles.tall} />
        )}
        {isPainted && (
          <>
            <RecentActivity patients={patients} hasRecords={hasRecords} now={now} />
            <InsightsPanel insights={insights} isDemo={isDemo} />
            {!isReadOnly && <QuickActions isDemo={isDemo} className={styles.wide} />}
            <RecentForms forms={forms} isDemo={isDemo} className={styles.wide} />
            <TrendsPanel trends={trends} period={period} onPeriod={onPeriod} onOpen={setOpened} />
            <SystemStatus system={system} onOpen={setOpened} />
          </>
        )}
      </div>
      {isPainted && <FigureDetailsDrawer details={details} onClose={() => setOpened(null)} />}
    </>
  )
}

/** Button that opens the records behind a figure. */
function OpenFigureButton({
  figure: { key, drillDown },
  onOpen,
}: {
  figure: Figure
  onOpen: (key: FigureKey) => void
}) {
  const styles = useStyles()
  const navigate = useNavigate()
  if (!drillDown) return null
  return (
    <Link
      as="button"
      className={styles.open}
      onClick={() => {
        if ('to' in drillDown) return void navigate({ to: drillDown.to })
        onOpen(key)
      }}
    >
      {drillDown.label}
    </Link>
  )
}
