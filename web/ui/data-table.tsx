import {
  mergeClasses,
  ProgressBar,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  useRestoreFocusTarget,
} from '@fluentui/react-components'
import {
  type ColumnDef,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { useIsNarrow } from './use-is-narrow.ts'
import { Pager } from './pager.tsx'
import { useRowNavigation } from './use-row-navigation.ts'
import { type RowAction, RowMenu } from './row-menu.tsx'
import { useTableStyles } from './table-styles.ts'

const features = tableFeatures({ rowSortingFeature, rowPaginationFeature })

/** A column: what stands in it, and whether the whole list can be ordered by it. */
export type Column<Row extends object> = {
  id: string
  header: string
  width?: string
  sortable?: boolean
  renderCell: (row: Row) => ReactNode
}

/** The order of the whole list, by the id of a column. */
export type Sort = { id: string; desc: boolean }

/** The part of a longer list that is shown; `page` counts from 1. */
export type Pagination = { page: number; pageSize: number; total: number; onPage: (page: number) => void }

type DataTableProps<Row extends object> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** What a person calls the row, for the names of its buttons. */
  nameOf: (row: Row) => string
  /** The row as a card, in a window too narrow for a table. */
  renderCard: (row: Row) => ReactNode
  onOpen?: (row: Row) => void
  onDelete?: (row: Row) => void
  actions?: (row: Row) => readonly RowAction[]
  sort?: Sort | null
  onSort?: (sort: Sort | null) => void
  paging?: Pagination
  /** The row that is open beside the table. */
  current?: string | undefined
  /** New rows are on their way. */
  busy?: boolean
  /** Without a border of its own, inside another card. */
  bare?: boolean
}

const isFromControl = (event: MouseEvent) =>
  event.target instanceof Element && event.target.closest('a, button, input, select, [role=menu]') !== null
const applyUpdater = <T,>(updater: Updater<T>, old: T) =>
  typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater

/** The one table of the product: TanStack decides what is in it, Fluent how it looks. The caller owns order and page. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    idOf,
    nameOf,
    renderCard,
    onOpen,
    onDelete,
    actions,
    sort = null,
    onSort,
    paging,
    current,
  } = props
  const styles = useTableStyles()
  const focusTarget = useRestoreFocusTarget()
  const isNarrow = useIsNarrow()
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const defs = useMemo(() => columns.map((column) => toTableColumn(column)), [columns])
  const sorting = sort ? [sort] : []
  const pagination = { pageIndex: (paging?.page ?? 1) - 1, pageSize: paging?.pageSize ?? Math.max(1, rows.length) }
  const table = useTable({
    features,
    columns: defs,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    manualPagination: true,
    rowCount: paging?.total ?? rows.length,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting, pagination },
    onSortingChange: (updater) => onSort?.(applyUpdater(updater, sorting)[0] ?? null),
    onPaginationChange: (updater) => paging?.onPage(applyUpdater(updater, pagination).pageIndex + 1),
  })
  const shown = table.getRowModel().rows
  const { body, active, rowProps } = useRowNavigation<HTMLTableSectionElement>({
    count: shown.length,
    onOpen: onOpen && ((index) => shown[index] && onOpen(shown[index].original)),
    onDelete: onDelete && ((index) => shown[index] && onDelete(shown[index].original)),
  })
  const foot = paging && paging.total > 0 && (
    <div className={styles.foot}>
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
  const menuOf = (row: Row, tabIndex?: number) =>
    actions && <RowMenu name={nameOf(row)} actions={actions(row)} {...(tabIndex === undefined ? {} : { tabIndex })} />

  if (isNarrow)
    return (
      <div className={mergeClasses(styles.sheet, props.bare && styles.bare)}>
        {busy}
        <ul className={styles.cards} aria-label={label}>
          {shown.map(({ id, original }) => (
            <li key={id} className={mergeClasses(styles.card, actions && styles.cardWithMenu)}>
              {renderCard(original)}
              {menuOf(original)}
            </li>
          ))}
        </ul>
        {foot}
      </div>
    )
  return (
    <div className={mergeClasses(styles.sheet, props.bare && styles.bare)}>
      {busy}
      <Table className={styles.table} aria-label={label} aria-busy={props.busy} sortable={Boolean(onSort)}>
        <TableHeader className={mergeClasses(styles.head, !props.bare && styles.stuck)}>
          {table.getHeaderGroups().map((group) => (
            <TableRow key={group.id} className={styles.headRow}>
              {group.headers.map(({ column }) => {
                const sorted = column.getIsSorted()
                return (
                  <TableHeaderCell
                    key={column.id}
                    className={styles.headCell}
                    style={{ width: byId.get(column.id)?.width }}
                    sortable={column.getCanSort() && Boolean(onSort)}
                    {...(sorted ? { sortDirection: sorted === 'asc' ? 'ascending' : 'descending' } : {})}
                    onClick={column.getCanSort() && onSort ? () => column.toggleSorting() : undefined}
                  >
                    {byId.get(column.id)?.header}
                  </TableHeaderCell>
                )
              })}
              {actions && (
                <TableHeaderCell className={styles.headCell} style={{ width: '84px' }}>
                  Actions
                </TableHeaderCell>
              )}
            </TableRow>
          ))}
        </TableHeader>
        <TableBody ref={body}>
          {shown.map(({ id, original, index }) => (
            <TableRow
              key={id}
              {...focusTarget}
              {...(onOpen || onDelete ? rowProps(index) : {})}
              className={mergeClasses(
                styles.row,
                styles.livelyRow,
                onOpen && styles.opens,
                id === current && styles.here,
              )}
              onClick={onOpen && ((event) => !isFromControl(event) && onOpen(original))}
            >
              {columns.map((column) => (
                <TableCell key={column.id} className={styles.cell}>
                  {column.renderCell(original)}
                </TableCell>
              ))}
              {actions && <TableCell className={styles.cell}>{menuOf(original, index === active ? 0 : -1)}</TableCell>}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {foot}
    </div>
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
