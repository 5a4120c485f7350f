import { makeStyles, mergeClasses, Text } from '@fluentui/react-components'
import { BeakerRegular } from '@fluentui/react-icons/svg/beaker'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { useNavigate } from '@tanstack/react-router'
import type { createSubscription } from '#contracts/billing.ts'
import type { Reply } from '#contracts/endpoint.ts'
import type { getPlan } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { SignedOutNotice } from '#web/forms/signed-out-notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { CardFields, useCardGridStyles } from '../card/card-fields.tsx'
import { toCardField } from '../card/card-values.ts'
import { useCardPayment } from '../card/use-card-payment.ts'
import { PaymentButton } from './payment-button.tsx'

const useStyles = makeStyles({ pay: { display: 'grid', rowGap: '12px', marginTop: '8px' } })

const paymentFailedMessage = 'Something went wrong with your payment'
const notConfirmedMessage = 'You did not confirm this payment. Try again, or use another card.'

type SandboxPaymentProps = {
  plan: ReturnType<typeof getPlan>
  checkout: Reply<typeof createSubscription>
  /** Called when the client secret is no longer valid, because the checkout was started again elsewhere. */
  onOutdated: () => void
}

/** Card form of the sandbox checkout. Errors appear beside their fields; the input is kept. */
export function SandboxPayment({ plan, checkout, onOutdated }: SandboxPaymentProps) {
  const styles = useStyles()
  const { grid, wide } = useCardGridStyles()
  const navigate = useNavigate()
  const notify = useNotify()
  const payment = useCardPayment({
    clientSecret: checkout.clientSecret,
    onPaid: () => navigate({ to: '/', search: { subscription: 'success' }, replace: true }),
    onError: showFailure,
  })
  const submit = useSubmitOnce(payment.submit)

  function showFailure(error: unknown): void {
    const problem = error instanceof ApiProblem ? error : null
    if (problem?.status === 402) payment.showError('cardNumber', problem.detail)
    const [firstError] = problem?.problem.errors ?? []
    if (firstError) payment.showError(toCardField(firstError.path), firstError.message)
    if (problem?.status === 404 || problem?.status === 409) onOutdated()
    if (problem && (problem.status === 402 || problem.status === 409 || firstError))
      notify({ title: 'Payment Failed', body: firstError?.message ?? problem.detail, intent: 'error' })
    else notify({ title: 'Payment Error', body: paymentFailedMessage, intent: 'error' })
  }

  function rejectConfirmation(): void {
    payment.cancelConfirmation()
    payment.showError('cardNumber', notConfirmedMessage)
    notify({ title: 'Payment Failed', body: notConfirmedMessage, intent: 'error' })
  }

  return (
    <>
      <form className={grid} onSubmit={submit} noValidate {...(payment.isDirty ? { 'data-unsaved': '' } : {})}>
        <div className={wide}>
          <Notice tone="warning" icon={BeakerRegular} title="Sandbox: no real card is charged">
            <Text>Pay with 4242 4242 4242 4242, any future date and any three digits.</Text>
          </Notice>
        </div>
        {payment.isSignedOut && <SignedOutNotice />}
        <CardFields control={payment.control} icon={<PaymentRegular />} />
        <div className={mergeClasses(wide, styles.pay)}>
          <PaymentButton price={plan.price} trialDays={checkout.trialDays} pending={payment.isPending} />
        </div>
      </form>
      <ConfirmDialog
        open={payment.cardToConfirm !== null}
        title="Confirm this payment"
        action="Confirm payment"
        pendingAction="Confirming..."
        pending={payment.isPending}
        cancel="Do not confirm"
        onConfirm={payment.confirm}
        onCancel={rejectConfirmation}
      >
        <Text>
          Your bank asks you to confirm a payment of ${plan.price} a month to Everchart
          {payment.cardToConfirm && ` with the card ending in ${payment.cardToConfirm.cardNumber.slice(-4)}`}.
        </Text>
        <Text>Sandbox: no real card is charged.</Text>
      </ConfirmDialog>
    </>
  )
}
