import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import type { ReactNode } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { type PlanId, getPlan, trialDays } from '#contracts/values/plans.ts'
import { type Feature, features, checkFeatureAccess } from '#contracts/values/tiers.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { Page } from '#web/ui/page.tsx'
import { StateFrame } from '#web/ui/state-frame.tsx'
import { UpgradeButton } from './upgrade-button.tsx'

const useStyles = makeStyles({
  surface: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  now: {
    padding: '2px 12px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground4,
    fontSize: tokens.fontSizeBase200,
    lineHeight: '20px',
  },
})

/** Card shown in place of a feature that the plan does not include; `now` names the current plan. */
export type FeatureGateText = { title: string; hint: string; now: string | null; action: string; plan: PlanId | null }

/** Returns the card for a feature, one of three (spec page 2, sections 4.7 and 6); null if the plan includes the feature. */
export function describeFeatureGate(
  user: Pick<CurrentUser, 'subscriptionStatus' | 'subscriptionTier' | 'hasLapsed'>,
  feature: Feature,
): FeatureGateText | null {
  const { name, tier } = features[feature]
  const needed = getPlan(tier)
  switch (checkFeatureAccess(user, feature)) {
    case 'open':
      return null
    case 'demo':
      return {
        title: `Upgrade to use ${name}`,
        hint: `${name} works on your own practice and comes with the ${needed.name} plan, for $${needed.price} per month. The first ${trialDays} days are free.`,
        now: null,
        action: 'Upgrade',
        plan: tier,
      }
    case 'no-subscription':
      return {
        title: 'Subscription Required',
        hint: `Please activate your subscription to access ${name}.`,
        now: null,
        action: 'Activate Subscription',
        plan: null,
      }
    case 'below-tier':
      return {
        title: `${name} needs the ${needed.name} plan or higher`,
        hint: `It is included in ${needed.name}, for $${needed.price} per month, and available immediately.`,
        now: `Current plan: ${getPlan(user.subscriptionTier).name}`,
        action: `Upgrade to ${needed.name}`,
        plan: tier,
      }
  }
}

type FeatureGateProps = { feature: Feature; children: ReactNode }

/** Renders its children if the plan includes the feature, otherwise a card that says which plan does. */
export function FeatureGate({ feature, children }: FeatureGateProps) {
  const styles = useStyles()
  const user = useCurrentUser()
  const card = user && describeFeatureGate(user, feature)
  if (!card) return children
  // Users without a practice will own the one that they set up.
  const canUpgrade = user.practiceId === null || user.permissions.includes('settings')
  return (
    <div className={styles.surface}>
      <StateFrame role="status" icon={<LockClosedRegular aria-hidden />} title={card.title} hint={card.hint}>
        {card.now && <span className={styles.now}>{card.now}</span>}
        {canUpgrade ? (
          <UpgradeButton plan={card.plan}>{card.action}</UpgradeButton>
        ) : (
          <Text>Ask the owner or an administrator of your practice.</Text>
        )}
      </StateFrame>
    </div>
  )
}

type GatedPageProps = FeatureGateProps & { title: string; demoPreview?: ReactNode }

/** Feature gate around a whole screen, which keeps its title. `demoPreview` follows the card for demo users. */
export function GatedPage({ feature, title, demoPreview, children }: GatedPageProps) {
  const user = useCurrentUser()
  if (!user || describeFeatureGate(user, feature) === null) return children
  return (
    <Page title={title}>
      <FeatureGate feature={feature}>{children}</FeatureGate>
      {checkFeatureAccess(user, feature) === 'demo' && demoPreview}
    </Page>
  )
}
