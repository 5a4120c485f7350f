import { makeStyles, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnalyticsFigure, AnalyticsRecord } from '#contracts/analytics.ts'
import type { FigureKey } from '#contracts/values/analytics.ts'
import { maxScore } from '#contracts/values/satisfaction.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { errorMessage } from '#web/api/call.ts'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { DetailsDrawer, useLastShown } from '#web/ui/details-drawer.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, notEnoughData } from '#web/ui/format.ts'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { RecordId } from '#web/ui/person.tsx'
import { type Status, StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatFigure } from './analytics-model.ts'
import { type AnalyticsQuery, recordsQuery } from './api.ts'

const useStyles = makeStyles({
  total: {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    columnGap: '20px',
    alignItems: 'center',
    padding: '14px 16px',
    marginBottom: '8px',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorBrandBackground2,
    border: `1px solid ${tokens.colorBrandStroke2}`,
  },
  number: {
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '16px',
    minHeight: '52px',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
  },
})

type RecordsDrawerProps = {
  /** The figure whose records are shown; the drawer is closed without it. */
  figure: AnalyticsFigure | undefined
  query: AnalyticsQuery
  /** The period, in words. */
  days: string
  zone: string
  onClose: () => void
}

/** Drawer with the definition of a figure and the records that it counts. */
export function RecordsDrawer({ figure, query, days, zone, onClose }: RecordsDrawerProps) {
  const styles = useStyles()
  const shown = useLastShown(figure)
  return (
    <DetailsDrawer
      isOpen={figure !== undefined}
      onClose={onClose}
      label="The records behind this number"
      closeLabel="Close records"
      bodyLabel="Records"
    >
      {shown && (
        <>
          <div className={styles.total}>
            <Text className={styles.number}>{formatFigure(shown.value, shown.unit) ?? '-'}</Text>
            <TwoLineCell
              top={shown.value === null ? `${shown.label}: ${notEnoughData.toLowerCase()}` : shown.label}
              bottom={`${shown.formula}. ${days}.`}
              strong
              wrap
            />
          </div>
          {figure && <RecordList figureKey={shown.key} query={query} zone={zone} />}
        </>
      )}
    </DetailsDrawer>
  )
}

function RecordList({ figureKey, query, zone }: { figureKey: FigureKey; query: AnalyticsQuery; zone: string }) {
  const styles = useStyles()
  const { data, error, refetch } = useQuery(recordsQuery(figureKey, query))
  if (error)
    return <ErrorState title="Unable to load the records" hint={errorMessage(error)} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Skeleton aria-label="Loading the records">
        <SkeletonItem size={128} />
      </Skeleton>
    )
  const { items, total } = data
  if (items.length === 0) return <SecondaryText>No records in this period.</SecondaryText>
  return (
    <>
      <ul className={styles.list} aria-label="Records">
        {items.map((record) => (
          <li key={record.id} className={styles.row}>
            <TwoLineCell top={<PatientLink record={record} />} bottom={<Place record={record} zone={zone} />} strong />
            {figureKey === 'satisfaction' ? (
              <Text>
                {record.status} of {maxScore}
              </Text>
            ) : (
              <StatusBadge status={toStatus(record.status)} plain />
            )}
          </li>
        ))}
      </ul>
      {items.length < total && (
        <SecondaryText>
          The newest {formatNumber(items.length)} of {formatNumber(total)} are shown.
        </SecondaryText>
      )}
    </>
  )
}

const known: readonly Status[] = [
  'scheduled',
  'confirmed',
  'completed',
  'cancelled',
  'no-show',
  'waiting',
  'in-progress',
  'pending',
  'verified',
  'denied',
  'expired',
  'active',
]

const toStatus = (status: string): Status => known.find((one) => one === status) ?? 'unknown'

function Place({ record: { id, at }, zone }: { record: AnalyticsRecord; zone: string }) {
  const { date, time } = toLocalDateTime(at, zone)
  return (
    <>
      {formatDate(date)}, {formatTime(time)} <RecordId id={id} />
    </>
  )
}

function PatientLink({ record: { patientId, patientName } }: { record: AnalyticsRecord }) {
  const { link } = useLinkStyles()
  if (patientName === null) return 'Removed patient'
  return (
    <Link to="/patients/$patientId" params={{ patientId }} className={link}>
      {patientName}
    </Link>
  )
}
