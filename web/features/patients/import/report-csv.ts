import type { ImportStatus } from '#contracts/patient-import.ts'

/**
 * One cell. A spreadsheet takes what begins with these signs for a formula and would run it; an apostrophe makes it
 * text again.
 */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows that did not become patients, by their number in the file, with the reasons. */
export const listSkippedRows = ({ skippedRows, failed }: Pick<ImportStatus, 'skippedRows' | 'failed'>) =>
  [
    ...skippedRows.map((note) => ({ ...note, outcome: 'Duplicate' as const })),
    ...failed.map((note) => ({ ...note, outcome: 'Left out' as const })),
  ].sort((one, other) => one.row - other.row)

/** The report as a file for a spreadsheet, UTF-8 with its mark, as Excel needs it. */
export function createReportCsv(status: Pick<ImportStatus, 'skippedRows' | 'failed'>): string {
  const lines = listSkippedRows(status).map(({ row, outcome, reasons }) =>
    [String(row), outcome, reasons.join('; ')].map(cell).join(','),
  )
  return `\u{FEFF}${['Row,Outcome,Reasons', ...lines].join('\r\n')}\r\n`
}

/** Hands a text to the browser as a file to keep. */
export function downloadTextFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
