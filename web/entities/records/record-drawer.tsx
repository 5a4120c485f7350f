import { Button, Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { DetailsDrawer, DetailsSkeleton, useLastShown } from '#web/ui/details-drawer.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { recordQuery } from './record-api.ts'
import { RecordError } from './record-error.tsx'
import { AppointmentLink } from './appointment-link.tsx'
import {
  getStatus,
  type RecordDetails,
  type RecordField,
  type RecordKind,
  type RecordMove,
  type RecordRow,
} from './record-kind.ts'
import { OrderItems } from './order-items-table.tsx'
import { type Fact, Facts, PatientLink, RecordHead, RecordHistory, RecordSection } from './record-parts.tsx'
import { formatField, toFieldLabels } from './record-values.ts'
import { useRecordMoves } from './use-record-moves.ts'

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

/** The buttons that edit a record or change its status; the first step is the main one, unless it takes something away. */
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
          appearance={index === moves.length - 1 && !move.danger ? 'primary' : 'secondary'}
          onClick={() => onMove(record, move)}
        >
          {move.label}
        </Button>
      ))}
    </>
  )
}

function Details({ kind, record }: { kind: RecordKind; record: RecordDetails }) {
  const { patientId, patientName, history } = record
  const times = usePracticeTimes()
  const status = kind.statuses[getStatus(kind, record)]
  const labels = toFieldLabels(kind.fields)
  return (
    <>
      <RecordHead
        subject={
          patientId && patientName ? (
            <PatientLink patientId={patientId} patientName={patientName} />
          ) : (
            <Text>{kind.detail(record, times)}</Text>
          )
        }
        badge={status && <StatusBadge status={status.badge} label={status.label} />}
      />
      <RecordSection title="Details">
        <RecordFacts kind={kind} record={record} />
      </RecordSection>
      <RecordSection title="History">
        <RecordHistory
          entries={history}
          describe={({ status: moved, changedFields }, isFirst) =>
            moved === null
              ? `Changed: ${changedFields.map((field) => labels[field] ?? field).join(', ')}`
              : isFirst
                ? 'Added'
                : (kind.statuses[moved]?.label ?? moved)
          }
        />
      </RecordSection>
    </>
  )
}

/** Renders a field of a record; null for an empty one. */
function renderField(field: RecordField, record: RecordRow, findProvider: (id: string) => string | null): ReactNode {
  const id = field.kind === 'appointment' ? record[field.name] : null
  return id ? <AppointmentLink appointmentId={String(id)} /> : formatField(field, record, findProvider)
}

function RecordFacts({ kind, record }: { kind: RecordKind; record: RecordDetails }) {
  const mayReadClinical = useHasPermission('clinical:read')
  const times = usePracticeTimes()
  const { data: providers = [] } = useQuery(providersQuery)
  const findProvider = (id: string) => providers.find((provider) => provider.id === id)?.name ?? null
  const fields = kind.fields.filter(({ isClinical }) => mayReadClinical || !isClinical)
  const facts = fields.flatMap((field): Fact[] =>
    field.kind === 'items' ? [] : [[field.label, renderField(field, record, findProvider)]],
  )
  return (
    <>
      <Facts facts={[...facts, ...(kind.facts?.(record, times) ?? [])]} />
      {fields.some((field) => field.kind === 'items') && <OrderItems row={record} />}
    </>
  )
}
