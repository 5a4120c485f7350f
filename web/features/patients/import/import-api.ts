import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  getImport,
  type ImportRequest,
  type ImportStatus,
  listImports,
  previewImport,
  resumeImport,
  startImport,
  undoImport,
} from '#contracts/patient-import.ts'
import { call } from '#web/api/call.ts'
import { importKeys } from './import-keys.ts'

/** Request body of a preview and of an import. */
export type ImportBody = Pick<ImportRequest, 'csv'> & Partial<Omit<ImportRequest, 'csv'>>

const isInProgress = (state: ImportStatus['state'] | undefined) =>
  state === 'queued' || state === 'running' || state === 'undoing'

/** Query for the practice's last imports, newest first. */
export const importsQuery = queryOptions({
  queryKey: importKeys.list,
  queryFn: ({ signal }) => call(listImports, {}, signal),
  staleTime: 0,
})

/** Query for the progress of an import, refetched every second while it is running. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: importKeys.one(importId),
    queryFn: ({ signal }) => call(getImport, { params: { importId } }, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.error || isInProgress(state.data?.state) ? 1_000 : false),
    refetchIntervalInBackground: true,
  })

/** Previews the import of a file. */
export const usePreviewImport = () => useMutation({ mutationFn: (body: ImportBody) => call(previewImport, { body }) })

/** Starts an import; it runs in the background. */
export const useStartImport = () => useMutation({ mutationFn: (body: ImportBody) => call(startImport, { body }) })

/** Resumes a stopped import. */
export function useResumeImport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (importId: string) => call(resumeImport, { params: { importId } }),
    onSuccess: (_, importId) => queries.invalidateQueries({ queryKey: importKeys.one(importId) }),
  })
}

/** Undoes an import; patients changed since then are kept. */
export function useUndoImport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (importId: string) => call(undoImport, { params: { importId } }),
    onSuccess: (_, importId) => queries.invalidateQueries({ queryKey: importKeys.one(importId) }),
  })
}
