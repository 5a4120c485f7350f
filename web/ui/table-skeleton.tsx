import {
  makeStyles,
  mergeClasses,
  Skeleton,
  SkeletonItem,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  tokens,
} from '@fluentui/react-components'
import { type ColumnHead, useFittingColumns } from './fitting-columns.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useTableStyles } from './table-styles.ts'

const useStyles = makeStyles({
  person: { display: 'grid', gridTemplateColumns: '36px 1fr', columnGap: '12px', alignItems: 'center' },
  twoLines: { display: 'grid', rowGap: '8px' },
  short: { width: '40%' },
  long: { width: '66%' },
  card: {
    height: '84px',
    boxSizing: 'border-box',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    padding: '14px',
  },
})

type TableSkeletonProps = { label: string; rows: number; columns: readonly ColumnHead[] }

/** Placeholder of a table with the same header, columns and row height, so that nothing shifts when the rows load. */
export function TableSkeleton({ label, rows, columns: heads }: TableSkeletonProps) {
  const columns = useFittingColumns(heads)
  const shared = useTableStyles()
  const styles = useStyles()
  const lines = Array.from({ length: rows }, (_, index) => index)
  const twoLines = (
    <span className={styles.twoLines}>
      <SkeletonItem size={12} className={styles.long} />
      <SkeletonItem size={8} className={styles.short} />
    </span>
  )
  const person = (
    <span className={styles.person}>
      <SkeletonItem shape="circle" size={36} />
      {twoLines}
    </span>
  )
  if (useIsNarrow())
    return (
      <Skeleton aria-label={label}>
        {lines.map((line) => (
          <div key={line} className={styles.card}>
            {person}
          </div>
        ))}
      </Skeleton>
    )
  return (
    <Skeleton aria-label={label}>
      <Table className={shared.table} aria-hidden>
        <TableHeader className={shared.head}>
          <TableRow className={shared.headRow}>
            {columns.map(({ header, width }) => (
              <TableHeaderCell key={header} className={shared.headCell} style={{ width }}>
                {header}
              </TableHeaderCell>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {lines.map((line) => (
            <TableRow key={line} className={shared.row}>
              {columns.map(({ header }, index) => (
                <TableCell key={header} className={mergeClasses(shared.cell)}>
                  {index === 0 ? person : index === 1 ? twoLines : <SkeletonItem size={12} className={styles.long} />}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Skeleton>
  )
}
