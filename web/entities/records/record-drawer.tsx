import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { useFormatInstant, usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { DetailsDrawer, DetailsSkeleton, useLastShown } from '#web/ui/details-drawer.tsx'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { recordQuery } from './record-api.ts'
import { RecordError } from './record-error.tsx'
import { getStatus, type RecordDetails, type RecordKind, type RecordMove, type RecordRow } from './record-kind.ts'
import { OrderItems } from './order-items-table.tsx'
import { formatField, toFieldLabels } from './record-values.ts'
import { useRecordMoves } from './use-record-moves.ts'

const useStyles = makeStyles({
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '12px',
    padding: '4px 0 16px',
  },
  section: { padding: '16px 0', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  heading: {
    margin: '0 0 8px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  pairs: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '168px minmax(0, 1fr)',
    rowGap: '6px',
    '@media (max-width: 639px)': { gridTemplateColumns: '120px minmax(0, 1fr)', columnGap: '8px' },
  },
  pair: { display: 'contents' },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  history: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '8px' },
  entry: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'baseline' },
  wrap: { overflowWrap: 'anywhere' },
  link: { color: 'inherit', ':not(:hover)': { textDecorationLine: 'none' } },
})

type RecordDrawerProps = {
  kind: RecordKind
  /** The drawer is closed without it. */
  id: string | undefined
  onClose: () => void
  onEdit: (row: RecordRow) => void
  onMove: (row: RecordRow, move: RecordMove) => void
  /** Renders further buttons for a record. */
  renderActions?: ((row: RecordRow) => ReactNode) | undefined
}

/** Drawer with one record over the list: its fields and its history. */
export function RecordDrawer({ kind, id, onClose, onEdit, onMove, renderActions }: RecordDrawerProps) {
  const shownId = useLastShown(id)
  const { data, error, refetch } = useQuery({ ...recordQuery(kind, shownId ?? ''), enabled: Boolean(id) })
  const record = error ? undefined : data
  const name = record ? kind.describe(record) : 'Details'
  return (
    <DetailsDrawer
      isOpen={Boolean(id)}
      onClose={onClose}
      label={`Details of the ${kind.singular}`}
      title={name}
      bodyLabel={name}
      actions={
        record ? (
          <DetailActions kind={kind} record={record} onEdit={onEdit} onMove={onMove}>
            {renderActions?.(record)}
          </DetailActions>
        ) : null
      }
    >
      {record && <Details kind={kind} record={record} />}
      {error && <RecordError kind={kind} error={error} onRetry={() => void refetch()} />}
      {!record && !error && <DetailsSkeleton label={`Loading the ${kind.singular}`} />}
    </DetailsDrawer>
  )
}

type DetailActionsProps = Pick<RecordDrawerProps, 'kind' | 'onEdit' | 'onMove'> & {
  record: RecordRow
  children: ReactNode
}

/** The buttons that edit a record or change its status; the first step is the main one. */
function DetailActions({ kind, record, onEdit, onMove, children }: DetailActionsProps) {
  const moves = useRecordMoves(kind)(record)
  const mayWrite = useHasPermission(kind.permissions.write)
  const isEditable = mayWrite && (kind.isEditable?.(record) ?? true)
  return (
    <>
      {children}
      {isEditable && <Button onClick={() => onEdit(record)}>Edit</Button>}
      {moves.toReversed().map((move, index) => (
        <Button
          key={move.status}
          appearance={index === moves.length - 1 ? 'primary' : 'secondary'}
          onClick={() => onMove(record, move)}
        >
          {move.label}
        </Button>
      ))}
    </>
  )
}

function Details({ kind, record }: { kind: RecordKind; record: RecordDetails }) {
  const styles = useStyles()
  const { patientId, patientName } = record
  const times = usePracticeTimes()
  const status = kind.statuses[getStatus(kind, record)]
  return (
    <>
      <div className={styles.head}>
        {patientId && patientName ? (
          <Person
            name={patientName}
            detail={<RecordId id={patientId} />}
            renderName={(label) => (
              <Link to="/patients/$patientId" params={{ patientId }} className={styles.link}>
                {label}
              </Link>
            )}
          />
        ) : (
          <Text>{kind.detail(record, times)}</Text>
        )}
        {status && <StatusBadge status={status.badge} label={status.label} />}
      </div>
      <section className={styles.section}>
        <h3 className={styles.heading}>Details</h3>
        <Facts kind={kind} record={record} />
      </section>
      <section className={styles.section}>
        <h3 className={styles.heading}>History</h3>
        <History kind={kind} record={record} />
      </section>
    </>
  )
}

function Facts({ kind, record }: { kind: RecordKind; record: RecordDetails }) {
  const styles = useStyles()
  const mayReadClinical = useHasPermission('clinical:read')
  const times = usePracticeTimes()
  const { data: providers = [] } = useQuery(providersQuery)
  const findProvider = (id: string) => providers.find((provider) => provider.id === id)?.name ?? null
  const fields = kind.fields.filter(({ isClinical }) => mayReadClinical || !isClinical)
  const rows = fields.flatMap((field) => {
    if (field.kind === 'items') return []
    return [[field.label, formatField(field, record, findProvider)] as const]
  })
  return (
    <>
      <dl className={styles.pairs}>
        {[...rows, ...(kind.facts?.(record, times) ?? [])]
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label} className={styles.pair}>
              <dt className={styles.term}>{label}</dt>
              <dd className={styles.value} dir="auto">
                {value}
              </dd>
            </div>
          ))}
      </dl>
      {fields.some((field) => field.kind === 'items') && <OrderItems row={record} />}
    </>
  )
}

function History({ kind, record: { history } }: { kind: RecordKind; record: RecordDetails }) {
  const styles = useStyles()
  const labels = toFieldLabels(kind.fields)
  const formatInstant = useFormatInstant()
  return (
    <ol className={styles.history}>
      {history.map(({ at, by, status, changedFields }, index) => (
        <li key={history.length - index} className={styles.entry}>
          <span>
            <Text block className={styles.wrap}>
              {status === null
                ? `Changed: ${changedFields.map((field) => labels[field] ?? field).join(', ')}`
                : index === history.length - 1
                  ? 'Added'
                  : (kind.statuses[status]?.label ?? status)}
            </Text>
            <SecondaryText>{formatInstant(at)}</SecondaryText>
          </span>
          <SecondaryText>{by ?? 'Everchart'}</SecondaryText>
        </li>
      ))}
    </ol>
  )
}
