import { Button } from '@fluentui/react-components'
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download'
import { useMutation } from '@tanstack/react-query'
import type { Endpoint } from '#contracts/endpoint.ts'
import { errorMessage } from '#web/api/call.ts'
import { downloadFile } from '#web/api/download.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { getExportLabel } from './export-label.ts'

type ExportButtonProps = {
  endpoint: Endpoint
  /** The filters of the list that is shown. */
  query: Readonly<Record<string, unknown>>
  /** Number of records in the list; null while it is loading. */
  total: number | null
}

/** Button that downloads the filtered list as CSV. */
export function ExportButton({ endpoint, query, total }: ExportButtonProps) {
  const notify = useNotify()
  const { mutate, isPending } = useMutation({
    mutationFn: () => downloadFile(endpoint, { query } as Parameters<typeof downloadFile>[1]),
    onError: (error) => notify({ title: 'Failed to export', body: errorMessage(error), intent: 'error' }),
  })
  return (
    <Button icon={<ArrowDownloadRegular />} disabledFocusable={isPending} onClick={() => mutate()}>
      {getExportLabel(total)}
    </Button>
  )
}
