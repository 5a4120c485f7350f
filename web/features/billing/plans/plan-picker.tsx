import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { TagRegular } from '@fluentui/react-icons/svg/tag'
import { useQuery } from '@tanstack/react-query'
import type { SubscriptionView } from '#contracts/billing.ts'
import { type PlanId, trialDays } from '#contracts/values/plans.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { subscriptionStatusQuery } from '#web/entities/billing/subscription.ts'
import { plansQuery } from '../api.ts'
import { BillingQuestions } from './billing-questions.tsx'
import { PlanCards, PlanCardsSkeleton } from './plan-cards.tsx'
import { CurrentPlanNotice, TooSmallNotice } from './plan-notices.tsx'
import { useChoosePlan } from './use-choose-plan.ts'
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
