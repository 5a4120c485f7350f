import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { ArrowCircleUpRegular } from '@fluentui/react-icons/svg/arrow-circle-up'
import { BuildingMultipleRegular } from '@fluentui/react-icons/svg/building-multiple'
import { TagRegular } from '@fluentui/react-icons/svg/tag'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SubscriptionView } from '#contracts/billing.ts'
import { PlanId, trialDays } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useOpenBillingPortal } from '#web/entities/billing/use-billing-portal.ts'
import { getSubscriptionAlert, formatBillingDate, subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'
import { plansQuery, useChangePlan, useCreateSubscription } from '../api.ts'
import { BillingQuestions } from './billing-questions.tsx'
import { type OfferedPlan, PlanCards, PlanCardsSkeleton } from './plan-cards.tsx'
import { IconList } from './icon-list.tsx'

const useStyles = makeStyles({
  page: { maxWidth: '1120px', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '20px' },
  head: { display: 'grid', rowGap: '4px' },
  heading: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
  },
  intro: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
  },
  ready: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '28px',
    rowGap: '12px',
    padding: '20px 24px',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  readyTitle: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  surface: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
})

const findOpenSubscription = (subscription: SubscriptionView | null | undefined) =>
  subscription && subscription.status !== 'canceled' && subscription.status !== 'incomplete' ? subscription : null

/** Plan selection, with the questions that customers ask before choosing. */
export function PlanPicker({ preselected }: { preselected: PlanId | undefined }) {
  const styles = useStyles()
  const user = useCurrentUser()
  const canChoose = useHasPermission('settings')
  const isDemo = user?.isDemoUser ?? true
  const plans = useQuery(plansQuery)
  const status = useQuery({ ...subscriptionStatusQuery, enabled: !isDemo || user?.hasLapsed === true })
  const subscription = findOpenSubscription(status.data)
  const { choose, pending, tooSmall } = useChoosePlan(subscription)
  const hasFailed = plans.isError || status.isLoadingError
  // A plan is offered once it is known which one the practice has.
  const offered = status.isLoading || hasFailed ? undefined : plans.data
  return (
    <Page
      title={isDemo ? 'Upgrade Your Demo Account' : 'Choose Your Plan'}
      subtitle={
        isDemo ? 'Demo Mode, step 1 of 2' : subscription ? `Your practice has ${subscription.plan.name}` : 'Step 1 of 2'
      }
    >
      <div className={styles.page}>
        <CurrentPlanNotice user={user} canChoose={canChoose} subscription={subscription} />
        {tooSmall && plans.data && (
          <TooSmallNotice refusal={tooSmall} plans={plans.data} disabled={pending !== null} onChoose={choose} />
        )}
        {isDemo && (
          <div className={styles.head}>
            <h2 className={styles.heading}>Choose Your Plan</h2>
            <Text className={styles.intro}>
              {user?.hasLapsed
                ? 'Everything you entered is still here. Choose a plan to open it again, billed monthly.'
                : `${trialDays} days free, then billed monthly. Your own data stays when you upgrade; the sample patients are removed.`}
            </Text>
          </div>
        )}
        {!offered && !hasFailed && <PlanCardsSkeleton />}
        {hasFailed && (
          <div className={styles.surface}>
            <ErrorState
              title="Failed to load the plans"
              hint="No plan was chosen and nothing is charged."
              onRetry={() => void Promise.all([plans.refetch(), ...(status.isLoadingError ? [status.refetch()] : [])])}
            />
          </div>
        )}
        {offered?.length === 0 && (
          <div className={styles.surface}>
            <EmptyState icon={TagRegular} title="No plans are available right now" hint="Please check back later." />
          </div>
        )}
        {offered && offered.length > 0 && (
          <PlanCards
            plans={offered}
            preselected={preselected}
            current={subscription?.plan.id}
            pending={pending}
            disabled={!canChoose || user?.practiceId == null || subscription?.cancelAtPeriodEnd === true}
            heading={isDemo ? 'h3' : 'h2'}
            verb={subscription ? 'Change to' : 'Start'}
            onChoose={choose}
          />
        )}
        {isDemo && (
          <section className={styles.ready} aria-labelledby="ready">
            <h2 id="ready" className={styles.readyTitle}>
              Ready to manage your practice?
            </h2>
            <IconList
              row
              items={[
                ...(user?.hasLapsed ? [] : [['30-day free trial', CalendarCancelRegular] as const]),
                ['Cancel anytime', ArrowUndoRegular],
                ['HIPAA compliant', ShieldCheckmarkRegular],
              ]}
            />
          </section>
        )}
        <Panel title="Good to know">
          <BillingQuestions heading="h3" />
        </Panel>
      </div>
    </Page>
  )
}

/** The refusal of a plan that is too small for the practice, with one that is large enough. */
type TooSmall = { text: string; suitable: PlanId }

type TooSmallNoticeProps = {
  refusal: TooSmall
  plans: readonly OfferedPlan[]
  disabled: boolean
  onChoose: (plan: OfferedPlan) => void
}

/** Notice that the chosen plan is too small, with a button for one that is large enough. */
function TooSmallNotice({ refusal: { text, suitable }, plans, disabled, onChoose }: TooSmallNoticeProps) {
  const plan = plans.find(({ id }) => id === suitable)
  return (
    <Notice
      tone="warning"
      icon={ArrowCircleUpRegular}
      title="This plan is too small for your practice"
      role="alert"
      actions={
        plan && (
          <Button appearance="primary" disabledFocusable={disabled} onClick={() => onChoose(plan)}>
            {`Choose ${plan.name}`}
          </Button>
        )
      }
    >
      <Text>{text}</Text>
    </Notice>
  )
}

type CurrentPlanNoticeProps = {
  user: CurrentUser | null
  canChoose: boolean
  subscription: SubscriptionView | null
}

/** Notice about the current plan, or about what prevents the user from choosing one. */
function CurrentPlanNotice({ user, canChoose, subscription }: CurrentPlanNoticeProps) {
  const portal = useOpenBillingPortal()
  if (user?.practiceId == null)
    return (
      <Notice
        tone="warning"
        icon={BuildingMultipleRegular}
        title="Set up your practice first"
        actions={<LinkButton to="/onboarding">Set up your practice</LinkButton>}
      >
        <Text>A plan belongs to a practice. Setting it up takes about three minutes.</Text>
      </Notice>
    )
  const alert = subscription && getSubscriptionAlert(subscription)
  if (subscription && alert?.kind === 'past-due')
    return (
      <Notice
        tone="error"
        icon={PaymentRegular}
        title="The last payment failed"
        actions={
          canChoose && (
            <Button appearance="primary" disabledFocusable={portal.isPending} onClick={portal.open}>
              Update card
            </Button>
          )
        }
      >
        <Text>
          {canChoose
            ? alert.hasEnded
              ? `Update your card to restore ${subscription.plan.name} immediately.`
              : `You keep ${subscription.plan.name} until ${formatBillingDate(alert.until)}. Update your card to keep it after that.`
            : 'Ask the owner or an administrator to update the card.'}
        </Text>
      </Notice>
    )
  if (subscription)
    return (
      <Notice
        tone="success"
        icon={CheckmarkCircleRegular}
        title={`Your practice has the ${subscription.plan.name} plan`}
        actions={<LinkButton to="/manage-subscription">Manage Subscription</LinkButton>}
      >
        <Text>
          {subscription.cancelAtPeriodEnd
            ? 'It ends with the current billing period. Reactivate it before changing to another plan.'
            : 'See the next invoice, change to another plan or cancel.'}
        </Text>
      </Notice>
    )
  if (!canChoose)
    return (
      <Notice tone="warning" icon={LockClosedRegular} title="You cannot choose a plan">
        <Text>Only the owner and administrators of the practice can.</Text>
      </Notice>
    )
  if (!user.isDemoUser) return null
  return (
    <Notice tone="neutral" icon={SparkleRegular} title="Demo Mode">
      <Text>
        {user.hasLapsed
          ? 'Your subscription has ended, and you are no longer billed.'
          : 'You are looking at sample data. A plan opens Everchart for your own practice.'}
      </Text>
    </Notice>
  )
}

/** Returns the function that chooses a plan: leads to payment, or during a trial changes the plan directly. */
function useChoosePlan(subscription: SubscriptionView | null) {
  const navigate = useNavigate()
  const notify = useNotify()
  const create = useCreateSubscription()
  const change = useChangePlan()
  const busy = useRef(false)
  const [pending, setPending] = useState<PlanId | null>(null)
  const [tooSmall, setTooSmall] = useState<TooSmall | null>(null)

  async function startCheckout({ id }: OfferedPlan): Promise<void> {
    setTooSmall(null)
    try {
      await create.mutateAsync(id)
      await navigate({ to: '/subscription', search: { plan: id, step: 'payment' } })
    } catch (error) {
      // Clears the choice, in the URL too (spec page 2, section 8).
      await navigate({ to: '/subscription', search: {}, replace: true })
      const body = error instanceof ApiProblem ? error.detail : 'Failed to create subscription'
      notify({ title: 'Subscription Failed', body, intent: 'error' })
      const suitable = error instanceof ApiProblem && PlanId.safeParse(error.problem['tier']).data
      if (suitable) setTooSmall({ text: body, suitable })
    }
  }

  async function changeTo({ priceId }: OfferedPlan): Promise<void> {
    try {
      await change.mutateAsync(priceId)
      notify({ title: 'Plan Changed', body: 'Your subscription plan has been updated successfully.' })
      await navigate({ to: '/practice' })
    } catch (error) {
      const isRejected = error instanceof ApiProblem && error.status >= 400 && error.status < 500
      const body = isRejected ? error.detail : 'Failed to change plan. Please try again.'
      notify({ title: 'Error', body, intent: 'error' })
    }
  }

  async function choose(plan: OfferedPlan): Promise<void> {
    // A second click can arrive before the button is rendered as disabled.
    if (busy.current) return
    busy.current = true
    setPending(plan.id)
    try {
      if (!subscription) await startCheckout(plan)
      else if (subscription.status === 'trialing') await changeTo(plan)
      // A change that is charged is made on the screen that shows the amount.
      else await navigate({ to: '/manage-subscription' })
    } finally {
      busy.current = false
      setPending(null)
    }
  }

  return { choose: (plan: OfferedPlan) => void choose(plan), pending, tooSmall }
}
