import { Text } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { CardFields, useCardGridStyles } from '../card/card-fields.tsx'
import { toCardField } from '../card/card-values.ts'
import { useCardPayment } from '../card/use-card-payment.ts'
import { refreshSandboxPortal } from '../manage/manage-api.ts'

type CardDialogProps = {
  clientSecret: string
  /** The new card immediately pays an open invoice. */
  hasOpenInvoice: boolean
  onClose: () => void
}

/** Replaces the card of the subscription, with confirmation where the bank requires it. The card is not kept in the window. */
export function CardDialog({ clientSecret, hasOpenInvoice, onClose }: CardDialogProps) {
  const { grid, wide } = useCardGridStyles()
  const notify = useNotify()
  const queries = useQueryClient()
  const payment = useCardPayment({ clientSecret, onPaid: finish, onError: showFailure })

  async function finish(): Promise<void> {
    payment.reset()
    await refreshSandboxPortal(queries)
    const body = hasOpenInvoice ? 'The open invoice is paid.' : 'It will be used for future payments.'
    notify({ title: 'Card changed', body })
    onClose()
  }

  function showFailure(error: unknown): void {
    if (!(error instanceof ApiProblem))
      return notify({ title: 'Payment Failed', body: errorMessage(error), intent: 'error' })
    const [firstError] = error.problem.errors
    const message = firstError?.message ?? error.detail
    payment.showError(firstError ? toCardField(firstError.path) : 'cardNumber', message)
    notify({ title: 'Payment Failed', body: message, intent: 'error' })
  }

  return (
    <FormDialog
      title="Change card"
      action={hasOpenInvoice ? 'Pay with this card' : 'Save card'}
      pendingAction={hasOpenInvoice ? 'Paying...' : 'Saving...'}
      pending={payment.isPending}
      dirty={payment.isDirty && !payment.isSuccess}
      signedOut={payment.isSignedOut}
      onSubmit={payment.submit}
      onClose={onClose}
    >
      <div className={grid}>
        <CardFields control={payment.control} numberPlaceholder="1234 1234 1234 1234" />
        <SecondaryText as="p" className={wide}>
          Sandbox: no real card is charged. Only brand, last four digits and expiry date are stored.
        </SecondaryText>
      </div>
      <ConfirmDialog
        open={payment.cardToConfirm !== null}
        title="Confirm with your bank"
        action="Confirm"
        pendingAction="Confirming..."
        pending={payment.isPending}
        onConfirm={payment.confirm}
        onCancel={payment.cancelConfirmation}
      >
        <Text>Your bank asks you to confirm this card. In the sandbox, one click confirms it.</Text>
      </ConfirmDialog>
    </FormDialog>
  )
}
