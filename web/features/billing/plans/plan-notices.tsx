import { Button, Text } from '@fluentui/react-components'
import { ArrowCircleUpRegular } from '@fluentui/react-icons/svg/arrow-circle-up'
import { BuildingMultipleRegular } from '@fluentui/react-icons/svg/building-multiple'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { SubscriptionView } from '#contracts/billing.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useOpenBillingPortal } from '#web/entities/billing/use-billing-portal.ts'
import { getSubscriptionAlert, formatBillingDate } from '#web/entities/billing/subscription.ts'
import type { OfferedPlan } from './plan-cards.tsx'
import type { TooSmall } from './use-choose-plan.ts'

type TooSmallNoticeProps = {
  refusal: TooSmall
  plans: readonly OfferedPlan[]
  disabled: boolean
  onChoose: (plan: OfferedPlan) => void
}

/** Notice that the chosen plan is too small, with a button for one that is large enough. */
export function TooSmallNotice({ refusal: { text, suitable }, plans, disabled, onChoose }: TooSmallNoticeProps) {
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
export function CurrentPlanNotice({ user, canChoose, subscription }: CurrentPlanNoticeProps) {
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
