import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { BeakerRegular } from '@fluentui/react-icons/svg/beaker'
import type { ReactNode } from 'react'
import { UpgradeButton } from '#web/entities/billing/upgrade-button.tsx'

const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  banner: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '12px',
    padding: '8px 8px 8px 16px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorBrandForeground2,
    [small]: { flexWrap: 'wrap', padding: '12px', rowGap: '8px' },
  },
  text: { flexGrow: 1, color: tokens.colorNeutralForeground1, [small]: { flexBasis: '80%' } },
  icon: { fontSize: '20px', flexShrink: 0 },
})

type DemoBannerProps = { hasLapsed?: boolean; hasOpenInvoice?: boolean; children?: ReactNode }

/** Banner of the demo mode: sample data, or an ended subscription, with a link to what restores it. */
export function DemoBanner({ hasLapsed = false, hasOpenInvoice = false, children }: DemoBannerProps) {
  const styles = useStyles()
  return (
    <div className={styles.banner} role="note" data-testid="demo-banner">
      <BeakerRegular className={styles.icon} aria-hidden />
      <Text className={styles.text}>
        {hasLapsed
          ? `Demo Mode Active - Your subscription has ended. Your data is kept; ${hasOpenInvoice ? 'pay the open invoice' : 'choose a plan'} to restore full access`
          : "Demo Mode Active - You're viewing sample data to explore the product's features"}
      </Text>
      {children}
      <UpgradeButton>Upgrade to Subscription Account</UpgradeButton>
    </div>
  )
}
