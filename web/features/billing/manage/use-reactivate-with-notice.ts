import type { SubscriptionView } from '#contracts/billing.ts'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useReactivateSubscription } from './manage-api.ts'

/** Takes a cancellation back, and says how that went. */
export function useReactivateWithNotice(view: SubscriptionView): { isPending: boolean; run: () => Promise<void> } {
  const notify = useNotify()
  const { isPending, mutateAsync } = useReactivateSubscription()
  const run = async () => {
    try {
      await mutateAsync()
      // The button is gone with what it took back, and the focus with it.
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
      notify({ title: 'Subscription Reactivated', body: `It renews on ${formatBillingDate(view.currentPeriodEnd)}.` })
    } catch {
      notify({ title: 'Error', body: 'Failed to reactivate subscription. Please try again.', intent: 'error' })
    }
  }
  return { isPending, run }
}
