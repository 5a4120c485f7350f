import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { downloadDataExport, listDataExports, requestDataExport, retryDataExport } from '#contracts/data-exports.ts'
import { buildUrl, call, checkGet } from '#web/api/call.ts'
import { dataExportKeys } from './data-export-keys.ts'

/** Query for the last exports of the practice, newest first. */
export const dataExportsQuery = queryOptions({
  queryKey: dataExportKeys.list,
  queryFn: ({ signal }) => call(listDataExports, {}, signal),
  staleTime: 0,
})

/** Returns the mutation that requests an export, or retries the one with the given id. */
export function useRequestDataExport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (failedId: string | null) =>
      failedId === null ? call(requestDataExport, {}) : call(retryDataExport, { params: { exportId: failedId } }),
    // Also after a refusal: a colleague may have requested one.
    onSettled: () => queries.invalidateQueries({ queryKey: dataExportKeys.list }),
  })
}

/** Returns the mutation that downloads the file of an export, after a check: the browser does not say why a download failed. */
export const useDownload = () =>
  useMutation({
    mutationFn: async (exportId: string) => {
      await checkGet(downloadDataExport, { params: { exportId } })
      const link = document.createElement('a')
      link.href = getDownloadUrl(exportId)
      link.download = ''
      link.click()
    },
  })

/** Returns the address of the file of an export. */
export const getDownloadUrl = (exportId: string): string => buildUrl(downloadDataExport, { params: { exportId } })
