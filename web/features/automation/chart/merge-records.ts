import type { RecordRow } from '#web/entities/records/record-kind.ts'

/** One list: its first page, or the error with which it was not loaded. */
type Loaded = {
  data: { items: readonly RecordRow[]; total: number } | undefined
  error: Error | null
  refetch: () => unknown
}

/**
 * Merges lists of records, each newest first, and cuts them off at a number. There are no data until all lists are loaded, and an error
 * while one of them has failed.
 */
export function mergeRecords<Place>(lists: readonly { place: Place; page: Loaded | undefined }[], limit: number) {
  const failed = lists.filter(({ page }) => page?.error)
  const error = failed[0]?.page?.error ?? null
  const refetch = () => failed.forEach(({ page }) => page?.refetch())
  if (lists.some(({ page }) => !page?.data)) return { data: undefined, error, refetch }
  const items = lists
    .flatMap(({ place, page }) => (page?.data?.items ?? []).map((row) => ({ place, row })))
    .toSorted((one, other) => (one.row.createdAt > other.row.createdAt ? -1 : 1))
  const total = lists.reduce((sum, { page }) => sum + (page?.data?.total ?? 0), 0)
  return { data: { items: items.slice(0, limit), total }, error: null, refetch }
}
