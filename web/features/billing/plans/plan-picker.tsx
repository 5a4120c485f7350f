import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { BuildingMultipleRegular } from '@fluentui/react-icons/svg/building-multiple'
import { TagRegular } from '@fluentui/react-icons/svg/tag'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SubscriptionView } from '#contracts/billing.ts'
import { type PlanId, trialDays } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
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
  lead: {
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
  sheet: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
})

const isRunning = (status: SubscriptionView | null | undefined) =>
  status && status.status !== 'canceled' && status.status !== 'incomplete' ? status : null

/** The plans on offer, and what is asked before choosing one. */
export function PlanPicker({ preselected }: { preselected: PlanId | undefined }) {
  const styles = useStyles()
  const user = useCurrentUser()
  const mayChoose = useHasPermission('settings')
  const demo = user?.isDemoUser ?? true
  const plans = useQuery(plansQuery)
  const status = useQuery({ ...subscriptionStatusQuery, enabled: !demo || user?.hasLapsed === true })
  const has = isRunning(status.data)
  // The open invoice comes first.
  const owes = has?.status === 'past_due'
  const { choose, pending } = useChoosePlan(has)
  return (
    <Page
      title={demo ? 'Upgrade Your Demo Account' : 'Choose Your Plan'}
      subtitle={demo ? 'Demo Mode, step 1 of 2' : has ? `Your practice has ${has.plan.name}` : 'Step 1 of 2'}
    >
      <div className={styles.page}>
        <CurrentPlanNotice user={user} mayChoose={mayChoose} has={has} />
        {demo && (
          <div className={styles.head}>
            <h2 className={styles.heading}>Choose Your Plan</h2>
            <Text className={styles.lead}>
              {user?.hasLapsed
                ? 'Everything you entered is still here. A plan opens it again, by the month.'
                : `${trialDays} days free, then by the month. What you entered stays when you upgrade; the sample patients go.`}
            </Text>
          </div>
        )}
        {plans.isPending && <PlanCardsSkeleton />}
        {plans.isError && (
          <div className={styles.sheet}>
            <ErrorState
              title="Failed to load the plans"
              hint="Nothing was chosen and nothing is charged."
              onRetry={() => void plans.refetch()}
            />
          </div>
        )}
        {plans.data?.length === 0 && (
          <div className={styles.sheet}>
            <EmptyState icon={TagRegular} title="No plans are on offer right now" hint="Please look in again later." />
          </div>
        )}
        {plans.data && plans.data.length > 0 && (
          <PlanCards
            plans={plans.data}
            preselected={preselected}
            current={has?.plan.id}
            pending={pending}
            disabled={!mayChoose || user?.practiceId == null || has?.cancelAtPeriodEnd === true || owes}
            heading={demo ? 'h3' : 'h2'}
            verb={has ? 'Change to' : 'Start'}
            onChoose={choose}
          />
        )}
        {demo && (
          <section className={styles.ready} aria-labelledby="ready">
            <h2 id="ready" className={styles.readyTitle}>
              Ready to manage your practice?
            </h2>
            <IconList
              row
              of={[
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

type CurrentPlanNoticeProps = { user: CurrentUser | null; mayChoose: boolean; has: SubscriptionView | null }

/** Where this person stands before choosing, and what stands in the way. */
function CurrentPlanNotice({ user, mayChoose, has }: CurrentPlanNoticeProps) {
  if (user?.practiceId == null)
    return (
      <Notice
        tone="waiting"
        icon={BuildingMultipleRegular}
        title="Set up your practice first"
        actions={<LinkButton to="/onboarding">Set up your practice</LinkButton>}
      >
        <Text>A plan belongs to a practice. Setting it up takes about three minutes.</Text>
      </Notice>
    )
  const news = has && getSubscriptionAlert(has)
  if (has && news?.kind === 'past-due')
    return (
      <Notice
        tone="bad"
        icon={PaymentRegular}
        title="The last payment failed"
        actions={mayChoose && <LinkButton to="/manage-subscription">Change the card</LinkButton>}
      >
        <Text>
          {mayChoose
            ? news.over
              ? `With a card that pays, ${has.plan.name} is open again at once.`
              : `You keep ${has.plan.name} until ${formatBillingDate(news.until)}. With a card that pays, nothing else changes.`
            : 'Ask the owner or an administrator to change the card.'}
        </Text>
      </Notice>
    )
  if (has)
    return (
      <Notice
        tone="good"
        icon={CheckmarkCircleRegular}
        title={`Your practice has the ${has.plan.name} plan`}
        actions={<LinkButton to="/manage-subscription">Manage Subscription</LinkButton>}
      >
        <Text>
          {has.cancelAtPeriodEnd
            ? 'It ends with the current billing period. Reactivate it before you change to another plan.'
            : 'See what is billed next, change to another plan or cancel.'}
        </Text>
      </Notice>
    )
  if (!mayChoose)
    return (
      <Notice tone="waiting" icon={LockClosedRegular} title="You cannot choose a plan">
        <Text>The owner of the practice and its administrators can.</Text>
      </Notice>
    )
  if (!user.isDemoUser) return null
  return (
    <Notice tone="plain" icon={SparkleRegular} title="Demo Mode">
      <Text>
        {user.hasLapsed
          ? 'Your subscription has ended, and nothing is billed any more.'
          : 'You are looking at sample data. A plan opens Everchart for your own practice.'}
      </Text>
    </Notice>
  )
}

/** Takes a plan: to pay for it, or at once where the practice has a plan that nothing is due for yet. */
function useChoosePlan(has: SubscriptionView | null) {
  const navigate = useNavigate()
  const notify = useNotify()
  const create = useCreateSubscription()
  const change = useChangePlan()
  const busy = useRef(false)
  const [pending, setPending] = useState<PlanId | null>(null)

  async function begin({ id }: OfferedPlan): Promise<void> {
    try {
      await create.mutateAsync(id)
      await navigate({ to: '/subscription', search: { plan: id, step: 'payment' } })
    } catch (error) {
      // What was chosen is forgotten, also in the address (spec page 2, section 8).
      await navigate({ to: '/subscription', search: {}, replace: true })
      const body = error instanceof ApiProblem ? error.detail : 'Failed to create subscription'
      notify({ title: 'Subscription Failed', body, intent: 'error' })
    }
  }

  async function changeTo({ priceId }: OfferedPlan): Promise<void> {
    try {
      await change.mutateAsync(priceId)
      notify({ title: 'Plan Changed', body: 'Your subscription plan has been updated successfully.' })
      await navigate({ to: '/practice' })
    } catch (error) {
      const told = error instanceof ApiProblem && error.status >= 400 && error.status < 500
      const body = told ? error.detail : 'Failed to change plan. Please try again.'
      notify({ title: 'Error', body, intent: 'error' })
    }
  }

  async function choose(plan: OfferedPlan): Promise<void> {
    // The second press can come before the button is drawn as busy.
    if (busy.current) return
    busy.current = true
    setPending(plan.id)
    try {
      if (!has) await begin(plan)
      else if (has.status === 'trialing') await changeTo(plan)
      // A change that costs something is made where it says how much.
      else await navigate({ to: '/manage-subscription' })
    } finally {
      busy.current = false
      setPending(null)
    }
  }

  return { choose: (plan: OfferedPlan) => void choose(plan), pending }
}
