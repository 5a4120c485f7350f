import { makeStyles, Spinner, tokens } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { refreshCheckout } from '#contracts/billing.ts'
import { getPlan } from '#contracts/values/plans.ts'
import { call } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { forgetChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { Page } from '#web/ui/page.tsx'
import { useNotify } from '#web/ui/toasts.tsx'

const useStyles = makeStyles({
  surface: {
    display: 'grid',
    placeItems: 'center',
    minHeight: '320px',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
})

const planStartedMessage = ({ subscriptionStatus, subscriptionTier }: CurrentUser) =>
  subscriptionStatus === 'trial'
    ? `Your free trial of the ${getPlan(subscriptionTier).name} plan has started.`
    : `Your ${getPlan(subscriptionTier).name} plan is active.`

/** The payment provider usually knows of the payment within a second. */
const pollIntervalMs = 500
const maxWaitMs = 20_000

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Returns what became of the last choice of a plan; null when it is not known, or not for this user to know. */
const fetchCheckout = () =>
  call(refreshCheckout, {}).then(
    ({ checkout }) => checkout,
    () => null,
  )

/**
 * Screen to which the payment provider returns. Asks it what was paid, waits until the plan is active, and greets the user;
 * opened without a payment, it leads to the dashboard and claims nothing.
 */
export function CheckoutReturn() {
  const styles = useStyles()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()

  useEffect(() => {
    let isCancelled = false
    const fetchUser = () => queries.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => null)

    async function greet(): Promise<void> {
      const end = Date.now() + maxWaitMs
      let checkout = await fetchCheckout()
      let user = await fetchUser()
      while (!isCancelled && !user?.isActiveSubscriber && checkout !== 'none' && Date.now() < end) {
        // oxlint-disable-next-line no-await-in-loop -- polling
        await delay(pollIntervalMs)
        // oxlint-disable-next-line no-await-in-loop
        checkout = await fetchCheckout()
        // oxlint-disable-next-line no-await-in-loop
        user = await fetchUser()
      }
      if (isCancelled) return
      if (user?.isActiveSubscriber) forgetChosenPlan()
      void queries.invalidateQueries()
      await navigate({ to: '/', search: {}, replace: true })
      if (!user?.isActiveSubscriber && checkout === 'none') return
      notify(
        user?.isActiveSubscriber
          ? {
              title: `Welcome back, ${user.firstName}!`,
              body: planStartedMessage(user),
            }
          : {
              title: 'Payment not confirmed yet',
              body: 'If you paid, your plan opens as soon as the payment provider confirms it. Otherwise nothing was charged.',
            },
      )
    }
    void greet()
    return () => {
      isCancelled = true
    }
  }, [queries, navigate, notify])

  return (
    <Page title="Dashboard Overview" subtitle="Checking your payment">
      <div className={styles.surface}>
        <Spinner label="Checking your payment..." />
      </div>
    </Page>
  )
}
