import {
  Button,
  makeStyles,
  mergeClasses,
  Skeleton,
  SkeletonItem,
  Spinner,
  Text,
  tokens,
} from '@fluentui/react-components'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { DataLineRegular } from '@fluentui/react-icons/svg/data-line'
import { TableRegular } from '@fluentui/react-icons/svg/table'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatNumber, notEnoughData } from '#web/ui/format.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { type AnalyticsModel, type CardKey, cardKeys, formatDollars } from './analytics-model.ts'
import { BarList } from './bar-list.tsx'
import { FigureCard, FigureCardSkeleton } from './figure-card.tsx'

// Lazy, because the chart library is larger than the rest of the screen.
const TrendsChart = lazy(() => import('#web/ui/trends-chart.tsx').then(({ TrendsChart: it }) => ({ default: it })))
const RevenueChart = lazy(() => import('./revenue-chart.tsx').then(({ RevenueChart: it }) => ({ default: it })))

const medium = '@media (max-width: 1151px)'

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '8px',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
    '@media (max-width: 639px)': { columnGap: '8px' },
  },
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
    alignItems: 'start',
    columnGap: '16px',
    rowGap: '16px',
    [medium]: { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '12px' },
    '@media print': { display: 'block', '> * + *': { marginTop: '12px' } },
  },
  column: {
    display: 'grid',
    rowGap: '16px',
    minWidth: 0,
    [medium]: { rowGap: '12px' },
    '@media print': { display: 'block', '> *': { breakInside: 'avoid' }, '> * + *': { marginTop: '12px' } },
  },
  skeleton: { height: '272px', display: 'grid', placeItems: 'center' },
  score: { display: 'flex', alignItems: 'baseline', columnGap: '8px', paddingBottom: '18px', flexWrap: 'wrap' },
  number: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
  },
  word: { fontWeight: tokens.fontWeightSemibold },
  success: { color: tokens.colorStatusSuccessForeground1 },
  warning: { color: tokens.colorStatusWarningForeground1 },
  error: { color: tokens.colorStatusDangerForeground1 },
  mean: { margin: '18px 0 0' },
  table: { width: '100%', borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums' },
  head: {
    padding: '6px 8px',
    textAlign: 'right',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightMedium,
    ':first-child': { textAlign: 'left' },
  },
  day: { padding: '6px 8px', textAlign: 'left', fontWeight: tokens.fontWeightRegular },
  cell: { padding: '6px 8px', textAlign: 'right', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
})

type AnalyticsViewProps = {
  /** Undefined while it is loading. */
  model: AnalyticsModel | undefined
  /** Opens the records behind a figure; null in the demo. */
  onOpen: ((key: CardKey) => void) | null
  /** Further panels beside the charts. */
  children?: ReactNode
}

/** The figures, the charts and the overall score, of a practice or of the demo. */
export function AnalyticsView({ model, onOpen, children }: AnalyticsViewProps) {
  const styles = useStyles()
  if (!model)
    return (
      <>
        <section className={styles.cards} aria-label="Figures">
          {cardKeys.map((key) => (
            <FigureCardSkeleton key={key} figure={key} />
          ))}
        </section>
        <Skeleton aria-label="Loading the charts">
          <SkeletonItem size={128} />
        </Skeleton>
      </>
    )
  return (
    <>
      <section className={styles.cards} aria-label="Figures">
        {model.cards.map((figure) => (
          <FigureCard key={figure.key} figure={figure} onOpen={onOpen && (() => onOpen(figure.key))} />
        ))}
      </section>
      <div className={styles.grid}>
        <div className={styles.column}>
          <ChartPanel
            title="Appointments"
            note={model.pointNote}
            rows={model.points}
            columns={[
              ['Scheduled', ({ scheduled }) => formatNumber(scheduled)],
              ['Completed', ({ completed }) => formatNumber(completed)],
              ['Cancelled', ({ cancelled }) => formatNumber(cancelled)],
            ]}
            isEmpty={model.points.every(({ scheduled }) => scheduled === 0)}
            emptyHint="No appointments in this period"
          >
            <TrendsChart trends={model.points} />
          </ChartPanel>
          {model.revenue && (
            <ChartPanel
              title="Revenue"
              note={model.pointNote}
              rows={model.revenue}
              columns={[
                ['This period', ({ now }) => formatDollars(now * 100)],
                ['Before', ({ before }) => formatDollars(before * 100)],
              ]}
              isEmpty={model.revenue.every(({ now, before }) => now === 0 && before === 0)}
              emptyHint="No completed appointments in this period"
            >
              <RevenueChart points={model.revenue} />
            </ChartPanel>
          )}
        </div>
        <div className={styles.column}>
          <PerformancePanel model={model} />
          {children}
        </div>
      </div>
    </>
  )
}

type ChartPanelProps<Row> = {
  title: string
  note: string
  rows: readonly Row[]
  columns: readonly (readonly [label: string, format: (row: Row) => string])[]
  isEmpty: boolean
  emptyHint: string
  /** The chart. */
  children: ReactNode
}

/** A chart, or the same numbers as a table, which is also accessible to screen readers. */
function ChartPanel<Row extends { label: string }>({
  title,
  note,
  rows,
  columns,
  isEmpty,
  emptyHint,
  children,
}: ChartPanelProps<Row>) {
  const styles = useStyles()
  const [isTable, setIsTable] = useState(false)
  return (
    <Panel
      title={title}
      note={note}
      action={
        <Button
          size="small"
          appearance="subtle"
          icon={isTable ? <DataLineRegular /> : <TableRegular />}
          aria-label={`${title} as a ${isTable ? 'chart' : 'table'}`}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? 'Chart' : 'Table'}
        </Button>
      }
    >
      {isTable ? (
        <table className={styles.table} aria-label={title}>
          <thead>
            <tr>
              {['From', ...columns.map(([label]) => label)].map((label) => (
                <th key={label} scope="col" className={styles.head}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.label}>
                <th scope="row" className={styles.day}>
                  {row.label}
                </th>
                {columns.map(([label, format]) => (
                  <td key={label} className={styles.cell}>
                    {format(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : isEmpty ? (
        <EmptyState icon={CalendarLtrRegular} title={notEnoughData} hint={emptyHint} />
      ) : (
        <Suspense
          fallback={
            <div className={styles.skeleton}>
              <Spinner size="small" aria-label="Loading the chart" />
            </div>
          }
        >
          {children}
        </Suspense>
      )}
    </Panel>
  )
}

const counts = ['none', 'one', 'two', 'three', 'four']

/** The overall score with its formula, and the marks that it is the mean of. */
function PerformancePanel({ model: { score, performance, missing } }: { model: AnalyticsModel }) {
  const styles = useStyles()
  return (
    <Panel title="Performance">
      {score ? (
        <>
          <div className={styles.score}>
            <Text className={styles.number}>{score.value}</Text>
            <Text className={mergeClasses(styles.word, styles[score.tone])}>{score.label}</Text>
            <SecondaryText>overall score</SecondaryText>
          </div>
          <BarList shares={performance} />
          <SecondaryText as="p" className={styles.mean}>
            {performance.length === 1
              ? 'The only one with data, out of 100.'
              : `The mean of the ${counts[performance.length]}, each out of 100.`}
          </SecondaryText>
        </>
      ) : (
        <SecondaryText as="p">{notEnoughData}</SecondaryText>
      )}
      {score && missing.length > 0 && (
        <SecondaryText as="p" className={styles.mean}>
          {notEnoughData}: {missing.join(', ')}.
        </SecondaryText>
      )}
    </Panel>
  )
}
