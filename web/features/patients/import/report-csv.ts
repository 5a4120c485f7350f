import type { ImportStatus } from '#contracts/patient-import.ts'
import { formatCsvCell } from '#contracts/values/csv.ts'

/** Returns the rows that did not become patients, in the order of the file, with the reasons. */
export const listSkippedRows = ({ skippedRows, failed }: Pick<ImportStatus, 'skippedRows' | 'failed'>) =>
  [
    ...skippedRows.map((note) => ({ ...note, outcome: 'Duplicate' as const })),
    ...failed.map((note) => ({ ...note, outcome: 'Left out' as const })),
  ].sort((one, other) => one.row - other.row)

/** Returns the report as CSV in UTF-8 with a byte order mark, which Excel needs. */
export function createReportCsv(status: Pick<ImportStatus, 'skippedRows' | 'failed'>): string {
  const lines = listSkippedRows(status).map(({ row, outcome, reasons }) =>
    [String(row), outcome, reasons.join('; ')].map(formatCsvCell).join(','),
  )
  return `\u{FEFF}${['Row,Outcome,Reasons', ...lines].join('\r\n')}\r\n`
}

/** Starts the download of a text as a file. */
export function downloadTextFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
