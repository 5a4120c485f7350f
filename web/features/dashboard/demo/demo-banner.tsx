import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { BeakerRegular } from '@fluentui/react-icons/svg/beaker'
import type { ReactNode } from 'react'
import { LinkButton } from '#web/ui/link-button.tsx'

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

/** Banner of the demo mode: sample data, or an ended subscription, with a link to upgrade. */
export function DemoBanner({ hasLapsed = false, children }: { hasLapsed?: boolean; children?: ReactNode }) {
  const styles = useStyles()
  return (
    <div className={styles.banner} role="note" data-testid="demo-banner">
      <BeakerRegular className={styles.icon} aria-hidden />
      <Text className={styles.text}>
        {hasLapsed
          ? 'Demo Mode Active - Your subscription has ended. Your data is kept; choose a plan to restore full access'
          : "Demo Mode Active - You're viewing sample data to explore the product's features"}
      </Text>
      {children}
      <LinkButton to="/subscription">Upgrade to Subscription Account</LinkButton>
    </div>
  )
}
