import { Button, makeStyles, Select, Spinner, tokens } from '@fluentui/react-components'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { DataLineRegular } from '@fluentui/react-icons/svg/data-line'
import { TableRegular } from '@fluentui/react-icons/svg/table'
import { lazy, Suspense, useState } from 'react'
import { TrendPeriod } from '#contracts/dashboard.ts'
import { formatCount, notEnoughData } from '#web/ui/format.ts'
import { Panel } from '#web/ui/panel.tsx'
import type { FigureAppointments } from '../figures/figures.ts'
import type { Loadable } from '../panels/loadable.ts'
import type { Trend } from '../dashboard-model.ts'
import { PanelEmpty, LoadablePanel } from '../panels/loadable-panel.tsx'

// Lazy, because the chart library is larger than the rest of the dashboard.
const TrendsChart = lazy(() => import('#web/ui/trends-chart.tsx').then(({ TrendsChart: it }) => ({ default: it })))

const useStyles = makeStyles({
  skeleton: { height: '272px', display: 'grid', placeItems: 'center' },
  tools: { display: 'flex', columnGap: '8px', alignItems: 'center' },
  scroll: { overflowX: 'auto', maxHeight: '272px' },
  table: { width: '100%', borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums' },
  head: {
    textAlign: 'right',
    padding: '6px 8px',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightMedium,
    position: 'sticky',
    top: 0,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  day: { textAlign: 'left', fontWeight: tokens.fontWeightRegular, padding: '6px 8px' },
  cell: { textAlign: 'right', padding: '2px 0', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  plain: { padding: '6px 8px', display: 'inline-block' },
  number: { minWidth: '40px', fontVariantNumeric: 'tabular-nums' },
})

const periodLabels: Record<TrendPeriod, string> = { '7days': '7 days', '30days': '30 days', '3months': '3 months' }

type TrendsPanelProps = {
  trends: Loadable<readonly Trend[]>
  period: TrendPeriod
  onPeriod: (period: TrendPeriod) => void
  onOpen: (appointments: FigureAppointments) => void
}

/** Appointments over time, as a chart or as a table, which is also accessible to screen readers. */
export function TrendsPanel({ trends, period, onPeriod, onOpen }: TrendsPanelProps) {
  const styles = useStyles()
  const [asTable, setAsTable] = useState(false)
  const loadingChart = (
    <div className={styles.skeleton}>
      <Spinner size="small" aria-label="Loading the chart" />
    </div>
  )
  return (
    <Panel
      title="Appointment Trends"
      action={
        <span className={styles.tools}>
          <Button
            size="small"
            appearance="subtle"
            icon={asTable ? <DataLineRegular /> : <TableRegular />}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? 'Chart' : 'Table'}
          </Button>
          <Select
            size="small"
            appearance="filled-lighter"
            aria-label="Period"
            value={period}
            data-testid="demo-period"
            onChange={(_, { value }) => onPeriod(TrendPeriod.parse(value))}
          >
            {TrendPeriod.options.map((option) => (
              <option key={option} value={option}>
                {periodLabels[option]}
              </option>
            ))}
          </Select>
        </span>
      }
    >
      <LoadablePanel source={trends} loadingLabel="Loading the trends" rows={6} errorTitle="Unable to load the trends">
        {(points) => {
          if (asTable) return <TrendsTable trends={points} onOpen={onOpen} />
          if (points.every(({ scheduled }) => scheduled === 0))
            return <PanelEmpty icon={CalendarLtrRegular} title={notEnoughData} hint="No appointments in this period" />
          return (
            <Suspense fallback={loadingChart}>
              <TrendsChart trends={points} />
            </Suspense>
          )
        }}
      </LoadablePanel>
    </Panel>
  )
}

const columns = [
  { key: 'scheduled', label: 'Scheduled', counted: 'all' },
  { key: 'completed', label: 'Completed', counted: 'completed' },
  { key: 'cancelled', label: 'Cancelled', counted: 'cancelled' },
] as const

/** Trends as a table; the numbers of a real practice open their appointments. */
function TrendsTable({
  trends,
  onOpen,
}: {
  trends: readonly Trend[]
  onOpen: (appointments: FigureAppointments) => void
}) {
  const styles = useStyles()
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Appointment Trends">
        <thead>
          <tr>
            <th scope="col" className={styles.head} style={{ textAlign: 'left' }}>
              Day
            </th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" className={styles.head}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {trends.map((trend) => (
            <tr key={trend.label}>
              <th scope="row" className={styles.day}>
                {trend.label}
              </th>
              {columns.map(({ key, label, counted }) => (
                <td key={key} className={styles.cell}>
                  {trend.days && trend[key] > 0 ? (
                    <Button
                      size="small"
                      appearance="subtle"
                      className={styles.number}
                      aria-label={`${trend[key]} ${label.toLowerCase()}, ${trend.label}: open the appointments`}
                      onClick={() =>
                        trend.days &&
                        onOpen({
                          title: `${label}, ${trend.label}`,
                          total: formatCount(trend[key], 'appointment'),
                          description: 'Appointments that start on these days, including removed ones.',
                          ...trend.days,
                          by: 'start',
                          counted,
                        })
                      }
                    >
                      {trend[key]}
                    </Button>
                  ) : (
                    <span className={styles.plain}>{trend[key]}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
