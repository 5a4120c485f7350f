import type { SubscriptionView } from '#contracts/billing.ts'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { describeFailure } from '../refusals.ts'
import { useReactivateSubscription } from './manage-api.ts'

/** Returns the action that revokes a cancellation and shows the result as a toast. */
export function useReactivateWithNotice(view: SubscriptionView): { isPending: boolean; run: () => Promise<void> } {
  const notify = useNotify()
  const { isPending, mutateAsync } = useReactivateSubscription()
  const run = async () => {
    try {
      await mutateAsync()
      // The button, and the focus with it, disappears together with the notice.
      if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true })
      notify({ title: 'Subscription Reactivated', body: `It renews on ${formatBillingDate(view.currentPeriodEnd)}.` })
    } catch (error) {
      notify(describeFailure(error, 'Failed to reactivate subscription. Please try again.'))
    }
  }
  return { isPending, run }
}
