import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { ErrorCircleFilled } from '@fluentui/react-icons/svg/error-circle'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { createSubscription } from '#contracts/billing.ts'
import type { Reply } from '#contracts/endpoint.ts'
import type { getPlan } from '#contracts/values/plans.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { PaymentButton } from './payment-button.tsx'
import { type StripeCardFields, mountCardFields } from './stripe-fields.ts'

const useStyles = makeStyles({
  form: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px' },
  fields: { minHeight: '212px' },
  refused: { display: 'flex', columnGap: '6px', alignItems: 'flex-start', color: tokens.colorStatusDangerForeground1 },
  icon: { flexShrink: 0, marginTop: '3px' },
})

type StripePaymentProps = {
  plan: ReturnType<typeof getPlan>
  checkout: Reply<typeof createSubscription>
  publishableKey: string
}

/** Returns whether the page was loaded at the payment step: its security policy depends on the URL it was loaded from. */
const wasReloadedForPayment = (): boolean => {
  const [page] = performance.getEntriesByType('navigation')
  return page !== undefined && new URL(page.name).searchParams.get('step') === 'payment'
}

/** Stripe's card fields. Only this step allows Stripe's script, so entering and leaving it reloads the page. */
export function StripePayment({ plan, checkout, publishableKey }: StripePaymentProps) {
  const styles = useStyles()
  const router = useRouter()
  const notify = useNotify()
  const container = useRef<HTMLDivElement>(null)
  const [fields, setFields] = useState<StripeCardFields | 'failed' | null>(null)
  const [pending, setPending] = useState(false)
  const [errorMessage, setErrorMessage] = useState<string | null>(null)

  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ toLocation }) => {
        if ('step' in toLocation.search) return
        // The browser does not show the new URL yet.
        router.history.flush()
        window.location.reload()
      }),
    [router],
  )

  useEffect(() => {
    const element = container.current
    if (!element) return
    if (!wasReloadedForPayment()) return window.location.reload()
    let isCancelled = false
    let mounted: StripeCardFields | null = null
    mountCardFields(element, publishableKey, checkout.clientSecret).then(
      (it) => {
        if (isCancelled) return it.unmount()
        mounted = it
        setFields(it)
      },
      () => !isCancelled && setFields('failed'),
    )
    return () => {
      isCancelled = true
      mounted?.unmount()
      setFields(null)
    }
  }, [publishableKey, checkout.clientSecret])

  async function pay(): Promise<void> {
    if (fields === null || fields === 'failed') return
    setPending(true)
    setErrorMessage(null)
    try {
      // On success, Stripe redirects to this URL.
      const error = await fields.pay(`${window.location.origin}/?subscription=success`)
      if (error === null) return
      // Stripe shows field errors beside the field.
      if (error.inField) return
      setErrorMessage(error.message)
      notify({ title: 'Payment Failed', body: error.message, intent: 'error' })
    } catch {
      notify({ title: 'Payment Error', body: 'Something went wrong with your payment', intent: 'error' })
    } finally {
      setPending(false)
    }
  }

  const submit = useSubmitOnce(pay)
  if (fields === 'failed')
    return (
      <ErrorState
        title="The card fields did not load"
        hint="Nothing is charged. Check the connection, and whether something in this browser blocks Stripe."
        onRetry={() => window.location.reload()}
      />
    )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div ref={container} className={styles.fields} />
      {errorMessage && (
        <Text role="alert" className={styles.refused}>
          <ErrorCircleFilled className={styles.icon} aria-hidden />
          {errorMessage}
        </Text>
      )}
      <PaymentButton price={plan.price} trialDays={checkout.trialDays} pending={pending} disabled={fields === null} />
    </form>
  )
}
