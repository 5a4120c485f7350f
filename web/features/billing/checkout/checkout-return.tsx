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
  sheet: {
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
    ? `Your free trial of the ${getPlan(subscriptionTier).name} plan has begun.`
    : `Your ${getPlan(subscriptionTier).name} plan is active.`

/** The provider tells us of the payment itself; nearly always within a second. */
const pollIntervalMs = 500
const maxWaitMs = 20_000

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Whoever comes back from paying is greeted once the plan is open. Everything that was fetched as a demo user is fetched
 * anew then, because the sample patients leave.
 */
export function CheckoutReturn() {
  const styles = useStyles()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()

  useEffect(() => {
    let over = false
    const read = () => queries.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => null)

    async function greet(): Promise<void> {
      const end = Date.now() + maxWaitMs
      let user = await read()
      while (!over && !user?.isActiveSubscriber && Date.now() < end) {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        await delay(pollIntervalMs)
        // oxlint-disable-next-line no-await-in-loop
        user = await read()
      }
      if (over) return
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
              body: 'Your plan opens as soon as the payment provider confirms it. That can take a few minutes.',
            },
      )
    }
    void greet()
    return () => {
      over = true
    }
  }, [queries, navigate, notify])

  return (
    <Page title="Dashboard Overview" subtitle="Opening your plan">
      <div className={styles.sheet}>
        <Spinner label="Payment received, opening your plan..." />
      </div>
    </Page>
  )
}
