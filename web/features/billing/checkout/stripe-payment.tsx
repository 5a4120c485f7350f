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

/** The step of the page that was loaded, not of the one that was walked to: the security policy is that of the former. */
const wasReloadedForPayment = (): boolean => {
  const [page] = performance.getEntriesByType('navigation')
  return page !== undefined && new URL(page.name).searchParams.get('step') === 'payment'
}

/** Stripe's own card fields. Its script runs beside ours on this step alone, so coming here and leaving are fresh pages. */
export function StripePayment({ plan, checkout, publishableKey }: StripePaymentProps) {
  const styles = useStyles()
  const router = useRouter()
  const notify = useNotify()
  const place = useRef<HTMLDivElement>(null)
  const [fields, setFields] = useState<StripeCardFields | 'failed' | null>(null)
  const [pending, setPending] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)

  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ toLocation }) => {
        if ('step' in toLocation.search) return
        // The new address is not in the browser yet.
        router.history.flush()
        window.location.reload()
      }),
    [router],
  )

  useEffect(() => {
    const element = place.current
    if (!element) return
    if (!wasReloadedForPayment()) return window.location.reload()
    let over = false
    let opened: StripeCardFields | null = null
    mountCardFields(element, publishableKey, checkout.clientSecret).then(
      (it) => {
        if (over) return it.close()
        opened = it
        setFields(it)
      },
      () => !over && setFields('failed'),
    )
    return () => {
      over = true
      opened?.close()
      setFields(null)
    }
  }, [publishableKey, checkout.clientSecret])

  async function pay(): Promise<void> {
    if (fields === null || fields === 'failed') return
    setPending(true)
    setRefused(null)
    try {
      // It goes on at the address of the start of the app when it worked.
      const wrong = await fields.pay(`${window.location.origin}/?subscription=success`)
      if (wrong === null) return
      // What is wrong with a field, Stripe says beside that field.
      if (wrong.inField) return
      setRefused(wrong.message)
      notify({ title: 'Payment Failed', body: wrong.message, intent: 'error' })
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
      <div ref={place} className={styles.fields} />
      {refused && (
        <Text role="alert" className={styles.refused}>
          <ErrorCircleFilled className={styles.icon} aria-hidden />
          {refused}
        </Text>
      )}
      <PaymentButton price={plan.price} trialDays={checkout.trialDays} pending={pending} disabled={fields === null} />
    </form>
  )
}
