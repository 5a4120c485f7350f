import { Button, makeStyles, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { CardUiRegular } from '@fluentui/react-icons/svg/card-ui'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SubscriptionView } from '#contracts/billing.ts'
import { trialDays } from '#contracts/values/plans.ts'
import { useOpenBillingPortal } from '#web/entities/billing/use-billing-portal.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { getSubscriptionAlert, formatBillingDate, subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { plansQuery } from '../api.ts'
import { CancelSubscriptionDialog } from './cancel-subscription-dialog.tsx'
import { ChangePlan } from './change-plan.tsx'
import { CurrentSubscription } from './current-subscription.tsx'
import { isRunning } from './manage-labels.ts'
import { useReactivateWithNotice } from './use-reactivate-with-notice.ts'

const useStyles = makeStyles({
  column: { maxWidth: '960px', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px' },
  sheet: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  lines: { display: 'grid', rowGap: '16px', padding: '4px 0 8px' },
  tall: { height: '56px' },
})

/** `/manage-subscription`: what the practice pays for, and every change of it. */
export function ManageSubscriptionScreen() {
  const styles = useStyles()
  const user = useCurrentUser()
  if (!user) return null
  return (
    <Page title="Manage Subscription" subtitle="Your plan, what it costs, and when it renews">
      <div className={styles.column}>
        <SubscriptionContent user={user} />
      </div>
    </Page>
  )
}

function SubscriptionContent({ user }: { user: CurrentUser }) {
  const styles = useStyles()
  const navigate = useNavigate()
  // Whose access has ended because of a card that failed is a demo user again, and still has a bill to pay.
  const enabled = user.practiceId !== null && (!user.isDemoUser || user.hasLapsed)
  const query = useQuery({ ...subscriptionStatusQuery, enabled })
  const { data: view, error, isPending, refetch } = query
  const owes = view?.status === 'past_due'
  const none = (title: string, hint: string) => (
    <div className={styles.sheet}>
      <EmptyState
        icon={CardUiRegular}
        title={title}
        hint={hint}
        action="View plans"
        onAction={() => void navigate({ to: '/subscription' })}
      />
    </div>
  )
  const settled = !enabled || !isPending
  if (user.isDemoUser && settled && !owes)
    return none(
      'No Active Subscription',
      user.hasLapsed
        ? 'Your subscription has ended, and nothing is billed any more. Your data is kept: a plan opens it again.'
        : `Choose a plan to work with your own practice. The first ${trialDays} days are free.`,
    )
  if (error && !view)
    return (
      <div className={styles.sheet}>
        <ErrorState
          title="Your subscription could not be loaded"
          hint={error instanceof ApiProblem ? error.detail : errorMessage(error)}
          onRetry={() => void refetch()}
        />
      </div>
    )
  if (isPending) return <Loading />
  if (!view)
    return none('No Subscription Found', 'There is nothing that your practice pays for. Choose a plan to begin.')
  return <ManageSubscription view={view} />
}

function Loading() {
  const styles = useStyles()
  return (
    <Panel title="Current Subscription">
      <Skeleton aria-label="Loading your subscription" className={styles.lines}>
        <SkeletonItem className={styles.tall} />
        <SkeletonItem className={styles.tall} />
      </Skeleton>
    </Panel>
  )
}

function ManageSubscription({ view }: { view: SubscriptionView }) {
  const may = useHasPermission('settings')
  const [canceling, ask] = useState(false)
  const plans = useQuery({ ...plansQuery, enabled: may })
  return (
    <>
      <SubscriptionAlertNotice view={view} may={may} />
      <CurrentSubscription view={view} may={may} onCancel={() => ask(true)} />
      {may && isRunning(view) && !view.cancelAtPeriodEnd && plans.data && <ChangePlan plans={plans.data} view={view} />}
      <SecondaryText as="p">
        {may
          ? 'To change your payment method, open the billing portal or contact billing support.'
          : 'Only the owner and administrators can change the subscription.'}
      </SecondaryText>
      {canceling && <CancelSubscriptionDialog view={view} onClose={() => ask(false)} />}
    </>
  )
}

/** What asks for something: a card that failed, an end that is near, a plan that comes. */
function SubscriptionAlertNotice({ view, may }: { view: SubscriptionView; may: boolean }) {
  const portal = useOpenBillingPortal()
  const back = useReactivateWithNotice(view)
  const news = getSubscriptionAlert(view)
  if (news?.kind === 'past-due')
    return (
      <Notice
        tone="bad"
        icon={PaymentRegular}
        title="The last payment failed"
        actions={
          may && (
            <Button appearance="primary" disabledFocusable={portal.isPending} onClick={portal.open}>
              Change the card
            </Button>
          )
        }
      >
        <Text>
          {news.over
            ? `Access to ${view.plan.name} ended on ${formatBillingDate(news.until)}. Your data is kept. With a card that pays, everything is open again at once.`
            : `You keep ${view.plan.name} until ${formatBillingDate(news.until)}. With a card that pays, nothing else changes.`}
        </Text>
      </Notice>
    )
  if (news)
    return (
      <Notice
        tone="waiting"
        icon={CalendarCancelRegular}
        title={`Your subscription ends on ${formatBillingDate(news.until)}`}
        actions={
          may && (
            <Button appearance="primary" disabledFocusable={back.isPending} onClick={() => void back.run()}>
              {back.isPending ? 'Reactivating...' : 'Reactivate'}
            </Button>
          )
        }
      >
        <Text>Until then everything works as before, and nothing more is charged. Your data stays.</Text>
      </Notice>
    )
  return null
}
