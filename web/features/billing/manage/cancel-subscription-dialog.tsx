import { Text } from '@fluentui/react-components'
import type { SubscriptionView } from '#contracts/billing.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useCancelSubscription } from './manage-api.ts'
import { describeCancellation } from './manage-labels.ts'
import { describeFailure, getRefusalMessage, isUnconfirmed } from '../refusals.ts'

/** Confirms the cancellation of the subscription at the end of the current period. */
export function CancelSubscriptionDialog({ view, onClose }: { view: SubscriptionView; onClose: () => void }) {
  const notify = useNotify()
  const cancel = useCancelSubscription()
  const confirm = async () => {
    try {
      await cancel.mutateAsync()
      notify({
        title: 'Subscription Canceled',
        body: 'Your subscription will end at the current billing period.',
      })
      onClose()
    } catch (error) {
      notify(describeFailure(error, 'Failed to cancel subscription. Please try again.'))
      if (isUnconfirmed(error)) onClose()
    }
  }
  return (
    <ConfirmDialog
      open
      title="Cancel your subscription?"
      action="Cancel Subscription"
      pendingAction="Canceling..."
      cancel="Keep Subscription"
      pending={cancel.isPending}
      failure={getRefusalMessage(cancel.error)}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {describeCancellation(view).map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
    </ConfirmDialog>
  )
}
