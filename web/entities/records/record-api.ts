import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callPaged, errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { recordKeys } from './record-keys.ts'
import {
  formatRecordName,
  type RecordDetails,
  type RecordKind,
  type RecordMove,
  type RecordRow,
} from './record-kind.ts'
import type { RecordPlace } from './record-place.ts'

/** Number of records on a page of a list. */
export const pageSize = 25

/** Query for one page of a list. The previous page stays until it is loaded; never fresh, because other users change it. */
export function recordsQuery(kind: RecordKind, { status, search, cursor, filter }: RecordPlace) {
  const query = { status, search, cursor, ...filter }
  return queryOptions({
    queryKey: recordKeys.page(kind.key, query),
    queryFn: async ({ signal }) => {
      const page = await callPaged(kind.endpoints.list, { query: { ...query, limit: pageSize } }, signal)
      return { ...page, items: page.items as RecordRow[] }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Query for the newest records of a patient, at most `limit`. The records that are shown stay until more are loaded. */
export function patientRecordsQuery(kind: RecordKind, patientId: string, limit: number) {
  const query = { patientId, limit }
  return queryOptions({
    queryKey: recordKeys.page(kind.key, query),
    queryFn: async ({ signal }) => {
      const page = await callPaged(kind.endpoints.list, { query }, signal)
      return { ...page, items: page.items as RecordRow[] }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Query for one record with its history. */
export const recordQuery = (kind: RecordKind, id: string) =>
  queryOptions({
    queryKey: recordKeys.one(kind.key, id),
    queryFn: async ({ signal }) => (await call(kind.endpoints.get, { params: { id } }, signal)) as RecordDetails,
    staleTime: 0,
  })

/** Adds a record and refreshes the lists. */
export function useAddRecord(kind: RecordKind) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: object) => (await call(kind.endpoints.add, { body })) as RecordRow,
    onSuccess: () => {
      // The dialog closes without the lists.
      void queries.invalidateQueries({ queryKey: recordKeys.kind(kind.key) })
    },
  })
}

/** Changes the fields or the status of a record and refreshes what shows it. */
export function useChangeRecord(kind: RecordKind) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, body }: { id: string; body: object }) =>
      (await call(kind.endpoints.change, { params: { id }, body })) as RecordRow,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: recordKeys.kind(kind.key) })
    },
  })
}

/** Returns the function that moves a record to another status, and whether it is running. Shows the result as a toast. */
export function useMoveRecord(kind: RecordKind) {
  const notify = useNotify()
  const change = useChangeRecord(kind)
  const move = (row: RecordRow, { status }: RecordMove) =>
    change.mutate(
      { id: row.id, body: { [kind.statusField]: status, revision: row.revision } },
      {
        onSuccess: (moved) =>
          notify({ title: kind.statuses[status]?.label ?? status, body: formatRecordName(kind, moved) }),
        onError: (error) =>
          notify({ title: `Failed to update ${kind.singular}`, body: errorMessage(error), intent: 'error' }),
      },
    )
  return { move, isMoving: change.isPending }
}
