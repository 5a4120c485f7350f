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

/** What is sent for a preview and for the import itself. */
export type ImportBody = Pick<ImportRequest, 'csv'> & Partial<Omit<ImportRequest, 'csv'>>

const isInProgress = (state: ImportStatus['state'] | undefined) =>
  state === 'queued' || state === 'running' || state === 'undoing'

/** The practice's last imports, newest first. */
export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call(listImports, {}, signal),
  staleTime: 0,
})

/** How far an import is; asked for each second while it moves. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) => call(getImport, { params: { importId } }, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.error || isInProgress(state.data?.state) ? 1_000 : false),
    refetchIntervalInBackground: true,
  })

/** What a file would become. */
export const usePreviewImport = () => useMutation({ mutationFn: (body: ImportBody) => call(previewImport, { body }) })

/** Starts an import; it runs in the background. */
export const useStartImport = () => useMutation({ mutationFn: (body: ImportBody) => call(startImport, { body }) })

/** Has an import that stopped carried on from where it was. */
export function useResumeImport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (importId: string) => call(resumeImport, { params: { importId } }),
    onSuccess: (_, importId) => queries.invalidateQueries({ queryKey: ['imports', importId] }),
  })
}

/** Takes an import back, as far as nobody has worked on its patients since. */
export function useUndoImport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (importId: string) => call(undoImport, { params: { importId } }),
    onSuccess: (_, importId) => queries.invalidateQueries({ queryKey: ['imports', importId] }),
  })
}
