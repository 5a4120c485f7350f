import { formatCount, formatNumber } from '#web/ui/format.ts'
import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download'
import { CheckmarkCircleFilled } from '@fluentui/react-icons/svg/checkmark-circle'
import { useState } from 'react'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatPatientCount } from './import-labels.ts'
import { downloadTextFile, listSkippedRows, createReportCsv } from './report-csv.ts'
import { UndoImportButton } from './undo-import-button.tsx'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  body: { padding: '28px 20px', display: 'grid', rowGap: '16px', [narrow]: { padding: '20px 12px' } },
  twoColumns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
    columnGap: '32px',
    rowGap: '20px',
    alignItems: 'start',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  head: { display: 'grid', gridTemplateColumns: '28px minmax(0, 1fr)', columnGap: '12px', alignItems: 'start' },
  success: { color: tokens.colorStatusSuccessForeground1, marginTop: '2px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
  },
  rows: { listStyleType: 'none', margin: 0, padding: 0, borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  row: {
    display: 'grid',
    gridTemplateColumns: '56px minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '16px',
    minHeight: '52px',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  number: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums', textAlign: 'right' },
})

/** Report of a finished import, with the rows that were left out and the button to undo it. */
export function ImportReport({ status }: { status: ImportStatus }) {
  const styles = useStyles()
  const { state, total, created, skipped, failed, leftOutColumns, removed, kept, startedAt, finishedAt } = status
  const formatInstant = useFormatInstant()
  const isUndone = state === 'undone'
  const skippedRows = listSkippedRows(status)
  const results = isUndone
    ? ([
        [removed, 'Patients removed'],
        [kept, 'Kept, because they were changed since the import'],
      ] as const)
    : ([
        [created, 'New patients added'],
        [skipped, 'Duplicates and open questions, unchanged'],
        [failed.length, 'Left out, for the reasons below'],
      ] as const)
  return (
    <>
      <div className={styles.body}>
        <div className={styles.head}>
          <CheckmarkCircleFilled className={styles.success} fontSize={28} aria-hidden />
          <div>
            <h2 className={styles.title}>
              {isUndone ? `${formatPatientCount(removed)} removed` : `${formatPatientCount(created)} added`}
            </h2>
            <SecondaryText>
              {formatInstant(finishedAt ?? startedAt)}, {formatCount(total, 'row')} in the file.
            </SecondaryText>
          </div>
        </div>
        <div className={styles.twoColumns}>
          <ul className={styles.rows}>
            {results.map(([number, label]) => (
              <li key={label} className={styles.row}>
                <span className={styles.number}>{formatNumber(number)}</span>
                <span>{label}</span>
              </li>
            ))}
            {!isUndone && leftOutColumns.length > 0 && (
              <li className={styles.row}>
                <span className={styles.number}>{formatNumber(leftOutColumns.length)}</span>
                <span>
                  {leftOutColumns.length === 1 ? 'Column' : 'Columns'} not imported: {leftOutColumns.join(', ')}
                </span>
              </li>
            )}
            {!isUndone && (
              <li className={styles.row}>
                <span />
                <span>The report for a spreadsheet, with the reason for every row that was left out</span>
                <Button
                  size="small"
                  icon={<ArrowDownloadRegular />}
                  onClick={() =>
                    downloadTextFile(`import-report-${startedAt.slice(0, 10)}.csv`, createReportCsv(status))
                  }
                >
                  Download
                </Button>
              </li>
            )}
          </ul>
          {state === 'done' && created > 0 && (
            <UndoImportButton status={status} question="Was there a mistake in the file?" />
          )}
        </div>
      </div>
      {skippedRows.length > 0 && <LeftOut rows={skippedRows} />}
    </>
  )
}

type LeftOutRow = ReturnType<typeof listSkippedRows>[number]

const perPage = 10

const columns: readonly Column<LeftOutRow>[] = [
  { id: 'row', header: 'Row', width: '96px', renderCell: ({ row }) => formatNumber(row) },
  { id: 'outcome', header: 'Result', width: '160px', renderCell: ({ outcome }) => outcome },
  { id: 'why', header: 'Why', renderCell: ({ reasons }) => <TwoLineCell top={reasons.join(', ')} wrap /> },
]

function LeftOut({ rows }: { rows: readonly LeftOutRow[] }) {
  const [page, setPage] = useState(1)
  return (
    <DataTable
      isNested
      label="Rows that were left out"
      columns={columns}
      rows={rows.slice((page - 1) * perPage, page * perPage)}
      getId={({ row }) => String(row)}
      getName={({ row }) => `row ${row}`}
      paging={{ page, pageSize: perPage, total: rows.length, onPage: setPage }}
      renderCard={({ row, outcome, reasons }) => (
        <TwoLineCell top={`Row ${formatNumber(row)}, ${outcome}`} bottom={reasons.join(', ')} wrap />
      )}
    />
  )
}
