import { Link, makeStyles, tokens } from '@fluentui/react-components'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { InsightsPanel, QuickActions, RecentActivity } from './panels/dashboard-panels.tsx'
import type { FigureAppointments, FigureExplanation, Figure } from './figures/figures.ts'
import type { Dashboard } from './dashboard-model.ts'
import { PanelError } from './panels/loadable-panel.tsx'
import { RecentForms } from './panels/recent-forms.tsx'
import { FigureDetailsDrawer } from './figures/figure-details-drawer.tsx'
import { StatCard, StatCardSkeleton } from './figures/stat-card.tsx'
import { SystemStatus } from './panels/system-status.tsx'
import { TodaysSchedule } from './panels/todays-schedule.tsx'
import { TrendsPanel } from './trends/trends-panel.tsx'

const medium = '@media (max-width: 1151px)'
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
  tall: { gridRow: 'span 2', [medium]: { gridRow: 'auto' } },
  wide: { gridColumn: '1 / -1' },
  open: {
    justifySelf: 'start',
    textAlign: 'left',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    minHeight: '24px',
  },
})

/** All sections of the dashboard, in the order of the spec. */
export function DashboardView({ dashboard, banner }: { dashboard: Dashboard; banner?: ReactNode }) {
  const styles = useStyles()
  const [details, setDetails] = useState<FigureAppointments | FigureExplanation | null>(null)
  const {
    isDemo,
    hasRecords,
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
  return (
    <>
      {banner}
      <div className={styles.stats}>
        {figures.data ? (
          figures.data.map((figure) => (
            <StatCard
              key={figure.key}
              figure={figure}
              action={<OpenFigureButton figure={figure} onOpen={setDetails} />}
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
      <div className={styles.grid}>
        <TodaysSchedule appointments={appointments} hasRecords={hasRecords} now={time} className={styles.tall} />
        <RecentActivity patients={patients} hasRecords={hasRecords} now={now} />
        <InsightsPanel insights={insights} isDemo={isDemo} />
        <QuickActions isDemo={isDemo} className={styles.wide} />
        <RecentForms forms={forms} className={styles.wide} />
        <TrendsPanel trends={trends} period={period} onPeriod={onPeriod} onOpen={setDetails} />
        <SystemStatus system={system} onOpen={setDetails} />
      </div>
      <FigureDetailsDrawer details={details} onClose={() => setDetails(null)} />
    </>
  )
}

/** Button that opens the records behind a figure. */
function OpenFigureButton({
  figure: { drillDown },
  onOpen,
}: {
  figure: Figure
  onOpen: (details: FigureAppointments | FigureExplanation) => void
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
        onOpen('appointments' in drillDown ? drillDown.appointments : drillDown.explained)
      }}
    >
      {drillDown.label}
    </Link>
  )
}
