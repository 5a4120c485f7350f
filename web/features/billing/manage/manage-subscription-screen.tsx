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
import { SupportLink, useSupportEmail } from '#web/entities/accounts/support-contact.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import {
  getSubscriptionAlert,
  formatBillingDate,
  sandboxEnded,
  subscriptionStatusQuery,
} from '#web/entities/billing/subscription.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { plansQuery } from '../api.ts'
import { CancelSubscriptionDialog } from './cancel-subscription-dialog.tsx'
import { ChangePlan } from './change-plan.tsx'
import { CurrentSubscription } from './current-subscription.tsx'
import { isRunning } from './manage-labels.ts'
import { useReactivateWithNotice } from './use-reactivate-with-notice.ts'

const useStyles = makeStyles({
  column: { maxWidth: '960px', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px' },
  surface: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  lines: { display: 'grid', rowGap: '16px', padding: '4px 0 8px' },
  tall: { height: '56px' },
})

/** `/manage-subscription`: the subscription of the practice, and all changes to it. */
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
  // Users who lost access because of a failed payment are demo users again, but still have an open invoice.
  const enabled = user.practiceId !== null && (!user.isDemoUser || user.hasLapsed)
  const query = useQuery({ ...subscriptionStatusQuery, enabled })
  const { data: view, error, isPending, refetch } = query
  const isPastDue = view?.status === 'past_due'
  const renderEmpty = (title: string, hint: string) => (
    <div className={styles.surface}>
      <EmptyState
        icon={CardUiRegular}
        title={title}
        hint={hint}
        action="View plans"
        onAction={() => void navigate({ to: '/subscription' })}
      />
    </div>
  )
  if (view?.isEndedSandbox) return renderEmpty(sandboxEnded.title, sandboxEnded.hint)
  const isLoaded = !enabled || !isPending
  if (user.isDemoUser && isLoaded && !isPastDue)
    return renderEmpty(
      'No Active Subscription',
      user.hasLapsed
        ? 'Your subscription has ended, and you are no longer billed. Your data is kept; choose a plan to open it again.'
        : `Choose a plan to work with your own practice. The first ${trialDays} days are free.`,
    )
  if (error && !view)
    return (
      <div className={styles.surface}>
        <ErrorState
          title="Your subscription could not be loaded"
          hint={error instanceof ApiProblem ? error.detail : errorMessage(error)}
          onRetry={() => void refetch()}
        />
      </div>
    )
  if (isPending) return <Loading />
  if (!view) return renderEmpty('No Subscription Found', 'Your practice has no subscription. Choose a plan to begin.')
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
  const canManage = useHasPermission('settings')
  const supportEmail = useSupportEmail()
  const [isCanceling, setIsCanceling] = useState(false)
  const plans = useQuery({ ...plansQuery, enabled: canManage })
  return (
    <>
      <SubscriptionAlertNotice view={view} canManage={canManage} />
      <CurrentSubscription view={view} canManage={canManage} onCancel={() => setIsCanceling(true)} />
      {canManage && isRunning(view) && !view.cancelAtPeriodEnd && plans.data && (
        <ChangePlan plans={plans.data} view={view} />
      )}
      <SecondaryText as="p">
        {canManage ? (
          <>
            To change your payment method, open the billing portal or contact billing support
            {supportEmail && (
              <>
                : <SupportLink email={supportEmail} subject="Billing" />
              </>
            )}
            .
          </>
        ) : (
          'Only the owner and administrators can change the subscription.'
        )}
      </SecondaryText>
      {isCanceling && <CancelSubscriptionDialog view={view} onClose={() => setIsCanceling(false)} />}
    </>
  )
}

/** Notice of a failed payment or of the coming end of the subscription. */
function SubscriptionAlertNotice({ view, canManage }: { view: SubscriptionView; canManage: boolean }) {
  const portal = useOpenBillingPortal()
  const reactivation = useReactivateWithNotice(view)
  const alert = getSubscriptionAlert(view)
  if (alert?.kind === 'past-due')
    return (
      <Notice
        tone="error"
        icon={PaymentRegular}
        title="The last payment failed"
        actions={
          canManage && (
            <Button appearance="primary" disabledFocusable={portal.isPending} onClick={portal.open}>
              Update card
            </Button>
          )
        }
      >
        <Text>
          {alert.hasEnded
            ? `Access to ${view.plan.name} ended on ${formatBillingDate(alert.until)}. Your data is kept. Update your card to restore access immediately.`
            : `You keep ${view.plan.name} until ${formatBillingDate(alert.until)}. Update your card to keep it after that.`}
        </Text>
      </Notice>
    )
  if (alert?.kind === 'ending')
    return (
      <Notice
        tone="warning"
        icon={CalendarCancelRegular}
        title={`Your subscription ends on ${formatBillingDate(alert.until)}`}
        actions={
          canManage && (
            <Button
              appearance="primary"
              disabledFocusable={reactivation.isPending}
              onClick={() => void reactivation.run()}
            >
              {reactivation.isPending ? 'Reactivating...' : 'Reactivate'}
            </Button>
          )
        }
      >
        <Text>Until then, everything works as before. You are not charged again, and your data is kept.</Text>
      </Notice>
    )
  return null
}
