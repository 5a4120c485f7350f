import { maxExportedRecords } from '#contracts/record-csv.ts'
import { formatNumber } from '#web/ui/format.ts'

/** Names the button that exports a list: a file may hold fewer records than the list. `total` is null while it is not known. */
export const getExportLabel = (total: number | null): string =>
  (total ?? 0) > maxExportedRecords ? `Export newest ${formatNumber(maxExportedRecords)}` : 'Export'
