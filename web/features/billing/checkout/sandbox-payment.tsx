import { makeStyles, Text } from '@fluentui/react-components'
import { BeakerRegular } from '@fluentui/react-icons/svg/beaker'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { createSubscription } from '#contracts/billing.ts'
import type { Reply } from '#contracts/endpoint.ts'
import type { getPlan } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { SignedOutNotice } from '#web/forms/signed-out-notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useConfirmSandboxPayment } from '../api.ts'
import { CardField } from '../card/card-field.tsx'
import { formatCardNumber, formatCvc, formatExpiry } from '../card/card-format.ts'
import { cardResolver, type CardValues, toCardField, toPaymentBody } from '../card/card-values.ts'
import { PaymentButton } from './payment-button.tsx'

const useStyles = makeStyles({
  form: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  wide: { gridColumnStart: 1, gridColumnEnd: -1 },
  pay: { gridColumnStart: 1, gridColumnEnd: -1, display: 'grid', rowGap: '12px', marginTop: '8px' },
})

const paymentFailedMessage = 'Something went wrong with your payment'
const notConfirmedMessage = 'You did not confirm this payment. Try again, or use another card.'

type SandboxPaymentProps = {
  plan: ReturnType<typeof getPlan>
  checkout: Reply<typeof createSubscription>
  /** The payment was begun anew somewhere else: this one cannot be paid any more. */
  onOutdated: () => void
}

/** Card number, expiry and security code for the sandbox. What is wrong is said beside the field; what was typed stays. */
export function SandboxPayment({ plan, checkout, onOutdated }: SandboxPaymentProps) {
  const styles = useStyles()
  const navigate = useNavigate()
  const notify = useNotify()
  const { mutateAsync: confirm, isPending } = useConfirmSandboxPayment()
  const [asked, ask] = useState<CardValues | null>(null)
  const [signedOut, setSignedOut] = useState(false)
  const { control, handleSubmit, setError, setFocus, formState } = useForm<CardValues>({
    resolver: cardResolver,
    defaultValues: { cardNumber: '', expiry: '', cvc: '' },
  })

  function refuse(field: keyof CardValues, message: string): void {
    setError(field, { type: 'server', message })
    setFocus(field, { shouldSelect: field === 'cardNumber' })
  }

  function explain(error: unknown): void {
    const problem = error instanceof ApiProblem ? error : null
    setSignedOut(problem?.status === 401)
    if (problem?.status === 402) refuse('cardNumber', problem.detail)
    const [first] = problem?.problem.errors ?? []
    if (first) refuse(toCardField(first.path), first.message)
    if (problem?.status === 404 || problem?.status === 409) onOutdated()
    if (problem && (problem.status === 402 || problem.status === 409 || first))
      notify({ title: 'Payment Failed', body: first?.message ?? problem.detail, intent: 'error' })
    else notify({ title: 'Payment Error', body: paymentFailedMessage, intent: 'error' })
  }

  async function pay(card: CardValues, confirmed: boolean): Promise<void> {
    try {
      const { status } = await confirm(toPaymentBody(card, checkout.clientSecret, confirmed))
      setSignedOut(false)
      if (status === 'requires_action') ask(card)
      else await navigate({ to: '/', search: { subscription: 'success' }, replace: true })
    } catch (error) {
      ask(null)
      explain(error)
    }
  }

  const submit = useSubmitOnce(handleSubmit((card) => pay(card, false)))
  return (
    <>
      <form className={styles.form} onSubmit={submit} noValidate {...(formState.isDirty ? { 'data-unsaved': '' } : {})}>
        <div className={styles.wide}>
          <Notice tone="waiting" icon={BeakerRegular} title="Sandbox: no real card is charged">
            <Text>Pay with 4242 4242 4242 4242, any date to come and any three digits.</Text>
          </Notice>
        </div>
        {signedOut && <SignedOutNotice />}
        <CardField
          control={control}
          name="cardNumber"
          label="Card number"
          autoComplete="cc-number"
          format={formatCardNumber}
          className={styles.wide}
          icon={<PaymentRegular />}
          autoFocus
        />
        <CardField
          control={control}
          name="expiry"
          label="Expires"
          placeholder="MM / YY"
          autoComplete="cc-exp"
          format={formatExpiry}
        />
        <CardField
          control={control}
          name="cvc"
          label="Security code"
          placeholder="CVC"
          autoComplete="cc-csc"
          format={formatCvc}
        />
        <div className={styles.pay}>
          <PaymentButton price={plan.price} trialDays={checkout.trialDays} pending={isPending} />
        </div>
      </form>
      <ConfirmDialog
        open={asked !== null}
        title="Confirm this payment"
        action="Confirm payment"
        pendingAction="Confirming..."
        pending={isPending}
        cancel="Do not confirm"
        onConfirm={() => asked && void pay(asked, true)}
        onCancel={() => {
          ask(null)
          refuse('cardNumber', notConfirmedMessage)
          notify({ title: 'Payment Failed', body: notConfirmedMessage, intent: 'error' })
        }}
      >
        <Text>
          Your bank asks whether you want to pay ${plan.price} a month to Everchart
          {asked && ` with the card that ends in ${asked.cardNumber.slice(-4)}`}.
        </Text>
        <Text>Sandbox: no real card is charged.</Text>
      </ConfirmDialog>
    </>
  )
}
