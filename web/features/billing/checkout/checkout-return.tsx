import { makeStyles, Spinner, tokens } from '@fluentui/react-components'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { getPlan } from '#contracts/values/plans.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
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

/** The webhook of the payment provider usually arrives within a second. */
const pollIntervalMs = 500
const maxWaitMs = 20_000

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Screen after a payment: waits until the plan is active, then greets the user. All data is refetched then, because the
 * sample patients are removed.
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
      let user = await fetchUser()
      while (!isCancelled && !user?.isActiveSubscriber && Date.now() < end) {
        // oxlint-disable-next-line no-await-in-loop -- polling
        await delay(pollIntervalMs)
        // oxlint-disable-next-line no-await-in-loop
        user = await fetchUser()
      }
      if (isCancelled) return
      void queries.invalidateQueries()
      await navigate({ to: '/', search: {}, replace: true })
      notify(
        user?.isActiveSubscriber
          ? {
              title: `Welcome back, ${user.firstName}!`,
              body: planStartedMessage(user),
            }
          : {
              title: 'Payment received',
              body: 'Your plan becomes active once the payment provider confirms the payment. This can take a few minutes.',
            },
      )
    }
    void greet()
    return () => {
      isCancelled = true
    }
  }, [queries, navigate, notify])

  return (
    <Page title="Dashboard Overview" subtitle="Activating your plan">
      <div className={styles.surface}>
        <Spinner label="Payment received, activating your plan..." />
      </div>
    </Page>
  )
}
