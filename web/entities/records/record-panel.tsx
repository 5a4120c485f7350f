import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PersonRegular } from '@fluentui/react-icons/svg/person'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { useCardStyles } from '#web/ui/card-styles.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterBar, FilterSelect } from '#web/ui/filter-bar.tsx'
import { formatCount } from '#web/ui/format.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Person, RecordId } from '#web/ui/person.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { useShortcut } from '#web/ui/shortcuts.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { ExportButton } from './export-button.tsx'
import { pageSize, recordsQuery, useMoveRecord } from './record-api.ts'
import { EditRecordDialog, MoveRecordDialog, NewRecordDialog } from './record-dialogs.tsx'
import { RecordDrawer } from './record-drawer.tsx'
import { formatRecordName, getStatus, type RecordKind, type RecordMove, type RecordRow } from './record-kind.ts'
import { type RecordPlace, withoutPage } from './record-place.ts'
import { useRecordMoves } from './use-record-moves.ts'

const useStyles = makeStyles({
  cardButton: {
    border: 0,
    padding: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    fontWeight: tokens.fontWeightSemibold,
    textAlign: 'left',
    cursor: 'pointer',
    borderRadius: tokens.borderRadiusSmall,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
})

type RecordPanelProps = {
  kind: RecordKind
  place: RecordPlace
  /** Opens another place of the list; `replace` keeps it out of the browser's history. */
  onPlace: (place: RecordPlace, options?: { replace?: boolean }) => void
  /** Shown beside the title, such as a choice between kinds. */
  note?: ReactNode
  /** Renders further buttons for the open record. */
  renderActions?: (row: RecordRow) => ReactNode
  /** Dialogs of the screen's own. */
  children?: ReactNode
}

type OpenDialog = { new: true } | { edit: string } | { move: RecordMove; row: RecordRow } | null

/** The list of a kind of record with its filters, details and dialogs. */
export function RecordPanel({ kind, place, onPlace, note, renderActions, children }: RecordPanelProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const mayWrite = useHasPermission(kind.permissions.write)
  const list = useQuery(recordsQuery(kind, place))
  const { move } = useMoveRecord(kind)
  const startMove = (row: RecordRow, step: RecordMove) =>
    step.fields ? setDialog({ move: step, row }) : move(row, step)
  const add = () => setDialog({ new: true })
  const close = () => setDialog(null)
  const { record: _, ...withoutRecord } = place
  return (
    <Panel title={kind.title} note={note} flush action={mayWrite && <AddAction kind={kind} onAdd={add} />}>
      <RecordBar kind={kind} place={place} list={list} onPlace={onPlace} />
      <RecordList
        kind={kind}
        place={place}
        list={list}
        onPlace={onPlace}
        onAdd={mayWrite ? add : null}
        onEdit={({ id }) => setDialog({ edit: id })}
        onMove={startMove}
      />
      <RecordDrawer
        kind={kind}
        id={place.record}
        onClose={() => onPlace(withoutRecord, { replace: true })}
        onEdit={({ id }) => setDialog({ edit: id })}
        onMove={startMove}
        renderActions={renderActions}
      />
      {dialog && 'new' in dialog && <NewRecordDialog kind={kind} onClose={close} />}
      {dialog && 'edit' in dialog && <EditRecordDialog kind={kind} id={dialog.edit} onClose={close} />}
      {dialog && 'move' in dialog && (
        <MoveRecordDialog kind={kind} row={dialog.row} move={dialog.move} onClose={close} />
      )}
      {children}
    </Panel>
  )
}

/** Button that adds a record, with its shortcut. */
function AddAction({ kind, onAdd }: { kind: RecordKind; onAdd: () => void }) {
  useShortcut('n', kind.add, onAdd)
  return (
    <Button appearance="primary" icon={<AddRegular />} onClick={onAdd}>
      {kind.add}
    </Button>
  )
}

type ListQuery = UseQueryResult<{ items: RecordRow[]; total: number; next: string | null }>
type BarProps = Pick<RecordPanelProps, 'kind' | 'place' | 'onPlace'> & { list: ListQuery }

/** Toolbar of the list: filters, search, the number of records, and the button that loads them again. */
function RecordBar({ kind, place, list, onPlace }: BarProps) {
  const searchInput = useRef<HTMLInputElement>(null)
  useShortcut('/', `Search ${kind.plural}`, () => searchInput.current?.focus())
  const filters = withoutPage(place)
  const statusLabels = Object.fromEntries(Object.entries(kind.statuses).map(([status, { label }]) => [status, label]))
  const show = (change: (next: Record<string, unknown>) => void) => {
    const next: Record<string, unknown> = { ...filters }
    change(next)
    onPlace(next as RecordPlace, { replace: true })
  }
  const choose = (name: string, value: string | undefined) =>
    show((next) => {
      const filter = { ...filters.filter }
      if (value === undefined) delete filter[name]
      else filter[name] = value
      if (Object.keys(filter).length > 0) next['filter'] = filter
      else delete next['filter']
    })
  return (
    <FilterBar
      isInset
      actions={
        <>
          <ExportButton
            endpoint={kind.endpoints.exportCsv}
            query={{ status: place.status, search: place.search, ...place.filter }}
            total={list.data?.total ?? null}
          />
          <Button icon={<ArrowClockwiseRegular />} onClick={() => void list.refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <FilterSelect
        label="Status"
        all="All statuses"
        value={place.status}
        labels={statusLabels}
        onChoose={(status) =>
          show((next) => {
            if (status === undefined) delete next['status']
            else next['status'] = status
          })
        }
      />
      {kind.filters.map(({ name, label, choices }) => (
        <FilterSelect
          key={name}
          label={label}
          all={`${label}: all`}
          value={place.filter?.[name]}
          labels={choices}
          onChoose={(value) => choose(name, value)}
        />
      ))}
      <SearchField
        label={`Search ${kind.plural}`}
        placeholder={kind.searchHint}
        search={place.search ?? ''}
        inputRef={searchInput}
        onSearch={(search) =>
          show((next) => {
            if (search) next['search'] = search
            else delete next['search']
            // A record that was opened right after typing stays open.
            if (place.record) next['record'] = place.record
          })
        }
      />
      <span aria-live="polite">
        {list.data && <SecondaryText>{formatCount(list.data.total, kind.singular, kind.plural)}</SecondaryText>}
      </span>
    </FilterBar>
  )
}

type RecordListProps = BarProps & {
  onAdd: (() => void) | null
  onEdit: (row: RecordRow) => void
  onMove: (row: RecordRow, move: RecordMove) => void
}

const NameCell = ({ kind, row }: { kind: RecordKind; row: RecordRow }) => (
  <TwoLineCell top={kind.describe(row)} bottom={kind.detail(row, usePracticeTimes())} strong />
)

/** Returns the columns of a kind around its own: name, patient and status. */
function toColumns(kind: RecordKind): readonly Column<RecordRow>[] {
  return [
    {
      id: 'name',
      header: `${kind.singular.charAt(0).toUpperCase()}${kind.singular.slice(1)}`,
      width: '28%',
      tight: '30%',
      renderCell: (row) => <NameCell kind={kind} row={row} />,
    },
    ...(kind.patient === 'none'
      ? []
      : [
          {
            id: 'patient',
            header: 'Patient',
            width: '24%',
            renderCell: ({ patientId, patientName }: RecordRow) =>
              patientId && patientName ? (
                <Person name={patientName} size={32} detail={<RecordId id={patientId} />} />
              ) : (
                <SecondaryText>Unknown person</SecondaryText>
              ),
          },
        ]),
    ...kind.columns,
    {
      id: 'status',
      header: 'Status',
      width: '136px',
      tight: '124px',
      renderCell: (row) => <RecordStatus kind={kind} row={row} />,
    },
  ]
}

function RecordStatus({ kind, row }: { kind: RecordKind; row: RecordRow }) {
  const status = kind.statuses[getStatus(kind, row)]
  return status ? <StatusBadge status={status.badge} label={status.label} /> : null
}

/** The list with its states loading, failed and empty. */
function RecordList({ kind, place, list, onPlace, onAdd, onEdit, onMove }: RecordListProps) {
  const navigate = useNavigate()
  const findMoves = useRecordMoves(kind)
  const mayWrite = onAdd !== null
  const columns = toColumns(kind)
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list
  const filters = withoutPage(place)
  const openPage = useCursorPages(filters, place, data?.next, (page) => onPlace({ ...filters, ...page }))
  if (isPending)
    return (
      <TableSkeleton
        label={`Loading ${kind.plural}`}
        rows={5}
        columns={[...columns, { header: 'Actions', width: '84px' }]}
      />
    )
  if (error && (!data || isPlaceholderData))
    return (
      <ErrorState title={`Failed to fetch ${kind.plural}`} hint={errorMessage(error)} onRetry={() => void refetch()} />
    )
  if (!data || data.items.length === 0)
    return Object.keys(filters).length > 0 || place.cursor ? (
      <EmptyState
        icon={SearchRegular}
        title={`No ${kind.plural} match these filters`}
        action={`Show all ${kind.plural}`}
        onAction={() => onPlace({}, { replace: true })}
      />
    ) : (
      <EmptyState
        icon={kind.icon}
        title={`No ${kind.plural} yet`}
        hint={kind.emptyHint}
        {...(onAdd ? { action: kind.add, onAction: onAdd } : {})}
      />
    )
  const open = ({ id }: RecordRow) => onPlace({ ...place, record: id })
  const listActions = (row: RecordRow): MenuAction[] => [
    { label: 'Open', icon: OpenRegular, onClick: () => open(row) },
    ...(mayWrite && (kind.isEditable?.(row) ?? true)
      ? [{ label: 'Edit', icon: EditRegular, onClick: () => onEdit(row) }]
      : []),
    ...findMoves(row).map((move) => ({ label: move.label, icon: move.icon, onClick: () => onMove(row, move) })),
    ...(row.patientId
      ? [
          {
            label: 'Open patient',
            icon: PersonRegular,
            onClick: () => void navigate({ to: '/patients/$patientId', params: { patientId: String(row.patientId) } }),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label={kind.title}
      columns={columns}
      rows={data.items}
      getId={({ id }) => id}
      getName={(row) => formatRecordName(kind, row)}
      renderCard={(row) => <RecordCard kind={kind} row={row} onOpen={() => open(row)} />}
      busy={isFetching && isPlaceholderData}
      current={place.record}
      paging={{ page: place.page ?? 1, pageSize, total: data.total, onPage: openPage }}
      onOpen={open}
      actions={listActions}
      isNested
    />
  )
}

/** A record in the list on a narrow screen. */
function RecordCard({ kind, row, onOpen }: { kind: RecordKind; row: RecordRow; onOpen: () => void }) {
  const styles = useStyles()
  const card = useCardStyles()
  const times = usePracticeTimes()
  return (
    <span className={card.card}>
      <button type="button" className={mergeClasses(card.cover, styles.cardButton)} dir="auto" onClick={onOpen}>
        {row.patientName ?? kind.describe(row)}
      </button>
      <RecordStatus kind={kind} row={row} />
      <SecondaryText className={card.wide}>{kind.describe(row)}</SecondaryText>
      <SecondaryText className={card.wide}>{kind.detail(row, times)}</SecondaryText>
    </span>
  )
}
