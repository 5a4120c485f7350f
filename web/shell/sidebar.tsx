import { Button, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme'
import { SignOutRegular } from '@fluentui/react-icons/svg/sign-out'
import { SparkleRegular } from '@fluentui/react-icons/svg/sparkle'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CurrentUser } from '#contracts/accounts.ts'
import { sampleBadges } from '#contracts/sample-practice.ts'
import { plans } from '#contracts/values/plans.ts'
import { Brand } from '#web/ui/brand-mark.tsx'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { PersonAvatar } from '#web/ui/person.tsx'
import {
  isCurrentEntry,
  isVisibleTo,
  type NavigationEntry,
  mainEntries,
  settingsEntries,
  resolveTarget,
} from './navigation-entries.ts'
import { useTheme } from './theme-preference.ts'
import { formatRole } from '#web/entities/accounts/format-role.ts'
import { useSignOut } from '#web/entities/accounts/use-sign-out.ts'
import { dashboardStatsQuery } from '#web/entities/dashboard/stats-query.ts'
import {
  getSubscriptionAlert,
  describePlanStatus,
  subscriptionStatusQuery,
} from '#web/entities/billing/subscription.ts'
import { formatName } from '#web/ui/format.ts'

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    minHeight: '100%',
    width: '100%',
    boxSizing: 'border-box',
    padding: '0 12px 12px',
    backgroundColor: tokens.colorNeutralBackground3,
  },
  brand: { height: '72px', display: 'flex', alignItems: 'center', padding: '0 8px', flexShrink: 0 },
  group: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    rowGap: '2px',
  },
  heading: {
    margin: '16px 0 4px',
    padding: '0 10px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightMedium,
  },
  entry: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    columnGap: '10px',
    height: '36px',
    padding: '0 10px',
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground2,
    fontWeight: tokens.fontWeightMedium,
    fontSize: tokens.fontSizeBase300,
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover, color: tokens.colorNeutralForeground1 },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  current: {
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: `0 0 0 1px ${tokens.colorNeutralStroke2}`,
    '::before': {
      content: '""',
      position: 'absolute',
      left: '-12px',
      top: '8px',
      bottom: '8px',
      width: '3px',
      borderRadius: '0 3px 3px 0',
      backgroundColor: tokens.colorCompoundBrandStroke,
    },
    ':hover': { backgroundColor: tokens.colorNeutralBackground1 },
  },
  icon: { fontSize: '20px', flexShrink: 0 },
  currentIcon: { color: tokens.colorBrandForeground1 },
  count: {
    marginLeft: 'auto',
    padding: '0 7px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorBrandForeground2,
    fontSize: tokens.fontSizeBase100,
    lineHeight: '20px',
    fontWeight: tokens.fontWeightSemibold,
  },
  comingSoon: {
    marginLeft: 'auto',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase100,
    fontWeight: tokens.fontWeightRegular,
  },
  footer: {
    marginTop: 'auto',
    paddingTop: tokens.spacingVerticalM,
    display: 'flex',
    flexDirection: 'column',
    rowGap: tokens.spacingVerticalS,
  },
  card: {
    borderRadius: tokens.borderRadiusLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
    padding: '10px 12px 12px',
    display: 'grid',
    rowGap: '2px',
  },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  unpaid: { color: tokens.colorStatusDangerForeground1, fontWeight: tokens.fontWeightSemibold },
  upgrade: {
    marginTop: '8px',
    display: 'block',
    textAlign: 'center',
    padding: '3px 8px',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  // In view in a low window too: others use the same computer.
  account: {
    position: 'sticky',
    bottom: 0,
    zIndex: 1,
    margin: '8px -12px -12px',
    padding: '0 12px 12px',
    display: 'flex',
    flexDirection: 'column',
    rowGap: tokens.spacingVerticalS,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  user: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '10px',
    padding: '10px 0 0 8px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  person: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  theme: { marginLeft: 'auto', flexShrink: 0 },
  signOut: {
    justifyContent: 'flex-start',
    color: tokens.colorNeutralForeground2,
    paddingLeft: '12px',
    columnGap: '8px',
    fontWeight: tokens.fontWeightMedium,
  },
})

type NavigationListProps = { entries: readonly NavigationEntry[]; path: string; isDemo: boolean; count: number }

function NavigationList({ entries, path, isDemo, count }: NavigationListProps) {
  const styles = useStyles()
  return (
    <ul className={styles.group}>
      {entries.map((entry) => {
        const { label, to, icon: Icon, isComingSoon, badge } = entry
        const isCurrent = isCurrentEntry(entry, path)
        return (
          <li key={to}>
            <Link
              to={resolveTarget(entry, isDemo)}
              className={mergeClasses(styles.entry, isCurrent && styles.current)}
              aria-current={isCurrent ? 'page' : undefined}
            >
              <Icon
                className={mergeClasses(styles.icon, isCurrent && styles.currentIcon)}
                filled={isCurrent}
                aria-hidden
              />
              {label}
              {isDemo && isComingSoon && <span className={styles.comingSoon}>Soon</span>}
              {badge && count > 0 && <span className={styles.count}>{count}</span>}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

type SidebarProps = { user: CurrentUser; path: string; onChat: () => void }

/** Navigation, plan, current user and sign-out. */
export function Sidebar({ user, path, onChat }: SidebarProps) {
  const styles = useStyles()
  const { dark, setPreference } = useTheme()
  const themeLabel = dark ? 'Use the light theme' : 'Use the dark theme'
  const signOut = useSignOut()
  const showsSample = showsSampleData(user)
  const stats = useQuery({ ...dashboardStatsQuery, enabled: !showsSample && user.practiceId !== null })
  const seesPlan = user.permissions.includes('billing')
  const subscription = useQuery({
    ...subscriptionStatusQuery,
    enabled: seesPlan && !user.isDemoUser && user.practiceId !== null,
  })
  const isPastDue = (subscription.data ? getSubscriptionAlert(subscription.data)?.kind : null) === 'past-due'
  const count = showsSample ? sampleBadges.appointments : (stats.data?.todaysAppointments ?? 0)
  const isVisible = isVisibleTo(user)
  const canManage = user.permissions.includes('settings')
  const name = formatName(user)
  const plan = plans.find(({ id }) => id === user.subscriptionTier)
  return (
    <div className={styles.root}>
      <div className={styles.brand}>
        <Brand tagline="Healthcare Management" />
      </div>
      <nav aria-label="Main">
        <NavigationList entries={mainEntries.filter(isVisible)} path={path} isDemo={showsSample} count={count} />
        <h2 className={styles.heading}>Settings</h2>
        <NavigationList entries={settingsEntries.filter(isVisible)} path={path} isDemo={showsSample} count={0} />
      </nav>
      <div className={styles.footer}>
        {user.isDemoUser ? (
          <div className={styles.card}>
            <Text weight="semibold">Demo Mode</Text>
            <Text className={styles.secondary}>
              {showsSample
                ? 'All features, no charges.'
                : user.hasOpenInvoice
                  ? 'Your subscription has ended: the last payment failed.'
                  : 'Your subscription has ended.'}
            </Text>
            <Link to={user.hasOpenInvoice ? '/manage-subscription' : '/subscription'} className={styles.upgrade}>
              Upgrade
            </Link>
          </div>
        ) : !seesPlan ? null : (
          <div className={styles.card}>
            <Text weight="semibold">{plan?.name}</Text>
            <Text className={mergeClasses(styles.secondary, isPastDue && styles.unpaid)}>
              {describePlanStatus(subscription.data ?? null)}
            </Text>
            {isPastDue && canManage && (
              <Link to="/manage-subscription" className={styles.upgrade}>
                Update card
              </Link>
            )}
          </div>
        )}
        <Button icon={<SparkleRegular />} onClick={onChat}>
          AI Assistant
        </Button>
      </div>
      <div className={styles.account}>
        <div className={styles.user}>
          <PersonAvatar name={name} size={32} />
          <span className={styles.person}>
            <Text weight="semibold" truncate wrap={false} title={name}>
              {name}
            </Text>
            <Text className={styles.secondary}>{formatRole(user.role)}</Text>
          </span>
          <Button
            className={styles.theme}
            appearance="subtle"
            icon={<DarkThemeRegular />}
            aria-label={themeLabel}
            title={themeLabel}
            onClick={() => setPreference(dark ? 'light' : 'dark')}
          />
        </div>
        <Button
          appearance="subtle"
          icon={<SignOutRegular />}
          className={styles.signOut}
          disabledFocusable={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {signOut.isPending ? 'Signing Out...' : 'Sign Out'}
        </Button>
      </div>
    </div>
  )
}
