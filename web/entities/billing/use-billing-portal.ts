import { useMutation } from '@tanstack/react-query'
import { billingPortal, latestInvoice } from '#contracts/billing.ts'
import { call } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'

/** Opens the payment provider's billing portal in a new tab. */
export function useOpenBillingPortal() {
  const notify = useNotify()
  const { isPending, mutate } = useMutation({
    mutationFn: (_tab: Window | null) => call(billingPortal, {}),
    onSuccess: ({ url }, tab) => {
      if (tab) tab.location.assign(new URL(url, location.origin))
      else location.assign(url)
    },
    onError: (_, tab) => {
      tab?.close()
      notify({ title: 'Error', body: 'Unable to access billing portal. Please try again.', intent: 'error' })
    },
  })
  // The tab must be opened within the click; opened after the response it would be blocked.
  const open = () => {
    const tab = globalThis.open('about:blank', '_blank')
    if (tab) tab.opener = null
    mutate(tab)
  }
  return { isPending, open }
}

/** Returns the mutation that downloads the latest invoice as a PDF file. */
export function useDownloadLatestInvoice() {
  const notify = useNotify()
  return useMutation({
    mutationFn: () => call(latestInvoice, {}),
    onSuccess: ({ invoice_pdf: href }) => {
      const link = document.createElement('a')
      link.href = href
      link.download = `invoice-${new Date().toISOString().slice(0, 7)}.pdf`
      link.click()
    },
    // Also while there is no invoice yet (spec page 2, section 8); the screens say when the first one comes.
    onError: () => notify({ title: 'Error', body: 'Unable to download invoice. Please try again.', intent: 'error' }),
  })
}
