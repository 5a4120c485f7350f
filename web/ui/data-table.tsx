import {
  mergeClasses,
  ProgressBar,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
} from '@fluentui/react-components'
import {
  type ColumnDef,
  type Header,
  type Row as TableModelRow,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { type KeyboardEvent, memo, type MouseEvent, type ReactNode, useMemo } from 'react'
import { type ColumnHead, useFittingColumns } from './fitting-columns.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useIsPainted } from './use-is-painted.ts'
import { Pager } from './pager.tsx'
import { moveBetweenCards, useRowNavigation } from './use-row-navigation.ts'
import { RowMenu } from './action-menu.tsx'
import type { MenuAction } from './menu-action.ts'
import { useTableStyles } from './table-styles.ts'

const features = tableFeatures({ rowSortingFeature, rowPaginationFeature })

/** Column of a `DataTable`; `sortable` columns can sort the whole list. */
export type Column<Row extends object> = ColumnHead & {
  id: string
  sortable?: boolean
  renderCell: (row: Row) => ReactNode
}

/** Sort order of the whole list, by column id. */
export type Sort = { id: string; desc: boolean }

/** Current page of a longer list; `page` counts from 1. */
export type Pagination = { page: number; pageSize: number; total: number; onPage: (page: number) => void }

type DataTableProps<Row extends object> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getId: (row: Row) => string
  /** Accessible name of a row, used in the labels of its buttons. */
  getName: (row: Row) => string
  /** Renders a row as a card where the window is too narrow for a table. */
  renderCard: (row: Row) => ReactNode
  onOpen?: (row: Row) => void
  onDelete?: (row: Row) => void
  actions?: (row: Row) => readonly MenuAction[]
  /** Button before the menu with the actions; not in cards, which have their own. `width` is that of both together. */
  mainAction?: { width: string; render: (row: Row, tabIndex: number) => ReactNode }
  sort?: Sort | null
  onSort?: (sort: Sort | null) => void
  paging?: Pagination
  /** Id of the row whose details are open. */
  current?: string | undefined
  /** New rows are being fetched. */
  busy?: boolean
  /** Omits the border, for a table inside another card. */
  isNested?: boolean
}

const isFromControl = (event: MouseEvent) =>
  event.target instanceof Element && event.target.closest('a, button, input, select, [role=menu]') !== null
const applyUpdater = <T,>(updater: Updater<T>, old: T) =>
  typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater

/** The table component of the product: TanStack Table holds the model, Fluent renders it. The caller owns sorting and paging. */
export function DataTable<Row extends object>(given: DataTableProps<Row>) {
  const props = { ...given, columns: useFittingColumns(given.columns) }
  const { label, paging } = props
  const styles = useTableStyles()
  const isNarrow = useIsNarrow()
  const table = useTableModel(props)
  const footer = paging && paging.total > 0 && (
    <div className={styles.footer}>
      <Pager {...paging} onPage={(page) => table.setPageIndex(page - 1)} />
    </div>
  )
  const busy = props.busy && (
    <ProgressBar
      className={styles.busy}
      shape="square"
      thickness="medium"
      aria-label={`Loading ${label.toLowerCase()}`}
    />
  )
  const { rows } = table.getRowModel()
  return (
    <div className={mergeClasses(styles.surface, props.isNested && styles.nested)}>
      {busy}
      {isNarrow ? (
        <CardList {...props} modelRows={rows} />
      ) : (
        <Table className={styles.table} aria-label={label} aria-busy={props.busy} sortable={Boolean(props.onSort)}>
          <TableHeader className={mergeClasses(styles.head, !props.isNested && styles.sticky)}>
            {table.getHeaderGroups().map((group) => (
              <TableRow key={group.id} className={styles.headRow}>
                {group.headers.map((header, index) => (
                  <HeaderCell
                    key={header.id}
                    header={header}
                    width={props.columns[index]?.width}
                    sortable={Boolean(props.onSort)}
                  />
                ))}
                {props.actions && (
                  <TableHeaderCell className={styles.headCell} style={{ width: props.mainAction?.width ?? '84px' }}>
                    Actions
                  </TableHeaderCell>
                )}
              </TableRow>
            ))}
          </TableHeader>
          <TableRows {...props} modelRows={rows} />
        </Table>
      )}
      {footer}
    </div>
  )
}

type ModelRow<Row extends object> = TableModelRow<typeof features, Row>

function useTableModel<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, getId, sort = null, onSort, paging } = props
  const columnDefs = useMemo(() => columns.map((column) => toTableColumn(column)), [columns])
  const sorting = sort ? [sort] : []
  const pagination = { pageIndex: (paging?.page ?? 1) - 1, pageSize: paging?.pageSize ?? Math.max(1, rows.length) }
  return useTable({
    features,
    columns: columnDefs,
    data: rows,
    getRowId: getId,
    manualSorting: true,
    manualPagination: true,
    rowCount: paging?.total ?? rows.length,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting, pagination },
    onSortingChange: (updater) => onSort?.(applyUpdater(updater, sorting)[0] ?? null),
    onPaginationChange: (updater) => paging?.onPage(applyUpdater(updater, pagination).pageIndex + 1),
  })
}

type HeaderCellProps<Row extends object> = {
  header: Header<typeof features, Row>
  width: string | undefined
  sortable: boolean
}

function HeaderCell<Row extends object>({ header: { column }, width, sortable }: HeaderCellProps<Row>) {
  const canSort = sortable && column.getCanSort()
  const sorted = column.getIsSorted()
  return (
    <TableHeaderCell
      className={useTableStyles().headCell}
      style={{ width }}
      sortable={canSort}
      {...(sorted ? { sortDirection: sorted === 'asc' ? 'ascending' : 'descending' } : {})}
      onClick={canSort ? () => column.toggleSorting() : undefined}
    >
      {String(column.columnDef.header)}
    </TableHeaderCell>
  )
}

type RowListProps<Row extends object> = DataTableProps<Row> & { modelRows: readonly ModelRow<Row>[] }

/** Body of the table. Rows that can be opened or deleted support keyboard navigation. */
function TableRows<Row extends object>(props: RowListProps<Row>) {
  const { modelRows, columns, getName, onOpen, onDelete, actions, mainAction, current } = props
  const { body, active, onFocus, onKeyDown } = useRowNavigation<HTMLTableSectionElement>(modelRows.length)
  return (
    <TableBody ref={body}>
      {modelRows.map(({ id, original, index }) => (
        <DataRow
          key={id}
          row={original}
          isActive={index === active}
          isCurrent={id === current}
          {...{ columns, getName, onOpen, onDelete, actions, mainAction, onFocus, onKeyDown }}
        />
      ))}
    </TableBody>
  )
}

type DataRowProps<Row extends object> = Pick<
  DataTableProps<Row>,
  'columns' | 'getName' | 'onOpen' | 'onDelete' | 'actions' | 'mainAction'
> &
  Pick<ReturnType<typeof useRowNavigation>, 'onFocus' | 'onKeyDown'> & {
    row: Row
    isActive: boolean
    isCurrent: boolean
  }

/** One row. It is rendered again only when one of its properties changes: a menu for each row is much to render. */
const DataRow = memo(function DataRow<Row extends object>(props: DataRowProps<Row>) {
  const { row, isActive, isCurrent, columns, getName, onOpen, onDelete, actions, mainAction } = props
  const { onFocus, onKeyDown } = props
  const styles = useTableStyles()
  const tabIndex = isActive ? 0 : -1
  const keys = { onOpen: onOpen && (() => onOpen(row)), onDelete: onDelete && (() => onDelete(row)) }
  const navigation = {
    'data-row': '',
    tabIndex,
    onFocus,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, keys),
  }
  return (
    <TableRow
      {...(onOpen || onDelete ? navigation : {})}
      className={mergeClasses(styles.row, styles.hoverRow, onOpen && styles.clickable, isCurrent && styles.selected)}
      onClick={onOpen && ((event) => !isFromControl(event) && onOpen(row))}
    >
      {columns.map((column) => (
        <TableCell key={column.id} className={styles.cell}>
          {column.renderCell(row)}
        </TableCell>
      ))}
      {actions && (
        <TableCell className={styles.cell}>
          <span className={styles.actions}>
            {mainAction?.render(row, tabIndex)}
            <RowMenu name={getName(row)} actions={actions(row)} tabIndex={tabIndex} />
          </span>
        </TableCell>
      )}
    </TableRow>
  )
}) as <Row extends object>(props: DataRowProps<Row>) => ReactNode

/** The number of cards that a tall phone shows: those below come after the first paint. */
const firstCards = 8

function CardList<Row extends object>({ label, modelRows, getName, renderCard, actions }: RowListProps<Row>) {
  const styles = useTableStyles()
  const isPainted = useIsPainted()
  return (
    // The links in the cards have the focus; the list only receives their keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul className={styles.cards} aria-label={label} onKeyDown={moveBetweenCards}>
      {modelRows.slice(0, isPainted ? modelRows.length : firstCards).map(({ id, original }) => (
        <li key={id} data-card="" className={mergeClasses(styles.card, actions && styles.cardWithMenu)}>
          {renderCard(original)}
          {actions && <RowMenu name={getName(original)} actions={actions(original)} />}
        </li>
      ))}
    </ul>
  )
}

const toTableColumn = <Row extends object>({
  id,
  header,
  sortable = false,
  renderCell,
}: Column<Row>): ColumnDef<typeof features, Row> => ({
  id,
  header,
  enableSorting: sortable,
  accessorFn: (row) => row,
  cell: ({ row }) => renderCell(row.original),
})
