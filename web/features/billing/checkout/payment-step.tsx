import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import { ArrowLeftRegular } from '@fluentui/react-icons/svg/arrow-left'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { type PlanId, getPlan } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { checkoutQuery } from '../api.ts'
import { PaymentSummary } from './payment-summary.tsx'
import { SandboxPayment } from './sandbox-payment.tsx'

// Lazy, because the sandbox does not need Stripe's code.
const StripePayment = lazy(() => import('./stripe-payment.tsx').then(({ StripePayment: it }) => ({ default: it })))

const useStyles = makeStyles({
  page: { maxWidth: '1120px', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '12px' },
  back: { justifySelf: 'start', paddingLeft: 0 },
  step: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 360px',
    columnGap: '24px',
    rowGap: '16px',
    alignItems: 'start',
    '@media (max-width: 1087px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  card: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    padding: '24px',
    minWidth: 0,
    '@media (max-width: 639px)': { padding: '20px 16px' },
  },
  heading: {
    margin: '0 0 16px',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  skeleton: { display: 'grid', rowGap: '16px' },
  short: { width: '30%' },
})

/** Payment for the chosen plan. After a reload, the same checkout is continued. */
export function PaymentStep({ plan: planId }: { plan: PlanId }) {
  const styles = useStyles()
  const navigate = useNavigate()
  const notify = useNotify()
  const plan = getPlan(planId)
  const { data: checkout, error, refetch } = useQuery(checkoutQuery(planId))

  useEffect(() => {
    if (!error) return
    const body = error instanceof ApiProblem ? error.detail : 'Failed to initialize payment. Please try again.'
    notify({ title: 'Subscription Error', body, intent: 'error' })
    void navigate({ to: '/subscription', search: {}, replace: true })
  }, [error, navigate, notify])

  return (
    <Page title="Payment Details" subtitle={`${plan.name}, step 2 of 2`}>
      <div className={styles.page}>
        <LinkButton
          to="/subscription"
          search={{ plan: planId }}
          className={styles.back}
          appearance="transparent"
          icon={<ArrowLeftRegular />}
        >
          Choose another plan
        </LinkButton>
        <div className={styles.step}>
          <section className={styles.card} aria-labelledby="card">
            <h2 id="card" className={styles.heading}>
              Card
            </h2>
            <Suspense fallback={<PaymentLoading />}>
              {!checkout && <PaymentLoading />}
              {checkout?.publishableKey === null && (
                <SandboxPayment plan={plan} checkout={checkout} onOutdated={() => void refetch()} />
              )}
              {checkout?.publishableKey && (
                <StripePayment plan={plan} checkout={checkout} publishableKey={checkout.publishableKey} />
              )}
            </Suspense>
          </section>
          <PaymentSummary className={styles.card} plan={plan} trialDays={checkout?.trialDays ?? null} />
        </div>
      </div>
    </Page>
  )
}

/** Placeholder while the form loads. */
function PaymentLoading() {
  const styles = useStyles()
  return (
    <Skeleton aria-label="Preparing the payment" className={styles.skeleton}>
      <SkeletonItem size={12} className={styles.short} />
      <SkeletonItem size={40} />
      <SkeletonItem size={12} className={styles.short} />
      <SkeletonItem size={40} />
      <SkeletonItem size={40} />
    </Skeleton>
  )
}
