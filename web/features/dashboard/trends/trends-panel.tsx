import { Button, makeStyles, Select, Spinner, tokens } from '@fluentui/react-components'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { DataLineRegular } from '@fluentui/react-icons/svg/data-line'
import { TableRegular } from '@fluentui/react-icons/svg/table'
import { lazy, Suspense, useState } from 'react'
import { TrendPeriod } from '#contracts/dashboard.ts'
import { Panel } from '#web/ui/panel.tsx'
import type { FigureAppointments } from '../figures/figures.ts'
import type { Loadable } from '../panels/loadable.ts'
import type { Trend } from '../dashboard-model.ts'
import { PanelEmpty, LoadablePanel } from '../panels/loadable-panel.tsx'

// The chart is heavier than all the rest of the dashboard: it comes when the figures are there.
const TrendsChart = lazy(() => import('./trends-chart.tsx').then(({ TrendsChart: it }) => ({ default: it })))

const useStyles = makeStyles({
  waiting: { height: '272px', display: 'grid', placeItems: 'center' },
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
  onOpen: (behind: FigureAppointments) => void
}

/** Appointments over time, as lines or, for whoever reads with the ears or wants the numbers, as a table. */
export function TrendsPanel({ trends, period, onPeriod, onOpen }: TrendsPanelProps) {
  const styles = useStyles()
  const [asTable, setAsTable] = useState(false)
  const waiting = (
    <div className={styles.waiting}>
      <Spinner size="small" aria-label="Drawing the chart" />
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
      <LoadablePanel of={trends} loading="Loading the trends" rows={6} failed="Unable to load the trends">
        {(points) => {
          if (asTable) return <TrendsTable trends={points} onOpen={onOpen} />
          if (points.every(({ scheduled }) => scheduled === 0))
            return (
              <PanelEmpty icon={CalendarLtrRegular} title="Not enough data yet" hint="No appointments in this period" />
            )
          return (
            <Suspense fallback={waiting}>
              <TrendsChart trends={points} />
            </Suspense>
          )
        }}
      </LoadablePanel>
    </Panel>
  )
}

const columns = [
  { of: 'scheduled', word: 'Scheduled', counted: 'all' },
  { of: 'completed', word: 'Completed', counted: 'completed' },
  { of: 'cancelled', word: 'Cancelled', counted: 'cancelled' },
] as const

/** The same numbers in a table; each of a real practice opens its appointments. */
function TrendsTable({ trends, onOpen }: { trends: readonly Trend[]; onOpen: (behind: FigureAppointments) => void }) {
  const styles = useStyles()
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Appointment Trends">
        <thead>
          <tr>
            <th scope="col" className={styles.head} style={{ textAlign: 'left' }}>
              Day
            </th>
            {columns.map(({ of, word }) => (
              <th key={of} scope="col" className={styles.head}>
                {word}
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
              {columns.map(({ of, word, counted }) => (
                <td key={of} className={styles.cell}>
                  {trend.days && trend[of] > 0 ? (
                    <Button
                      size="small"
                      appearance="subtle"
                      className={styles.number}
                      aria-label={`${trend[of]} ${word.toLowerCase()}, ${trend.label}: open the appointments`}
                      onClick={() =>
                        trend.days &&
                        onOpen({
                          title: `${word}, ${trend.label}`,
                          description: 'Appointments that begin on these days, also those taken off the list since.',
                          ...trend.days,
                          by: 'start',
                          counted,
                        })
                      }
                    >
                      {trend[of]}
                    </Button>
                  ) : (
                    <span className={styles.plain}>{trend[of]}</span>
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
