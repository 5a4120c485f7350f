import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { useQuery } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import {
  getSubscriptionAlert,
  formatBillingDate,
  sandboxEnded,
  type SubscriptionAlert,
  subscriptionStatusQuery,
} from '#web/entities/billing/subscription.ts'

const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  banner: {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '12px',
    padding: '8px 24px',
    color: tokens.colorNeutralForeground1,
    [small]: { padding: '10px 12px', gridTemplateColumns: '20px minmax(0, 1fr)', rowGap: '8px' },
    '@media print': { display: 'none' },
  },
  error: {
    backgroundColor: tokens.colorStatusDangerBackground1,
    borderBottom: `1px solid ${tokens.colorStatusDangerBorder1}`,
  },
  warning: {
    backgroundColor: tokens.colorStatusWarningBackground1,
    borderBottom: `1px solid ${tokens.colorStatusWarningBorder1}`,
  },
  icon: { fontSize: '20px' },
  textError: { color: tokens.colorStatusDangerForeground1 },
  textWarning: { color: tokens.colorStatusWarningForeground1 },
  action: { [small]: { gridColumn: '2', justifySelf: 'start' } },
})

/** Returns the text of the banner; `canManage` is whether the user can change the subscription. */
export function describeSubscriptionAlert(
  alert: SubscriptionAlert,
  canManage: boolean,
): { title: string; text: string; action: string } {
  if (alert.kind === 'sandbox-ended')
    return {
      title: `${sandboxEnded.title}.`,
      text: canManage ? sandboxEnded.hint : 'Ask the owner or an administrator.',
      action: 'Choose a plan',
    }
  if (alert.kind === 'ending')
    return {
      title: `Your subscription ends on ${formatBillingDate(alert.until)}.`,
      text: canManage
        ? 'Until then, everything works as before.'
        : 'Ask the owner or an administrator if you need it longer.',
      action: 'Reactivate',
    }
  const nextStep = canManage
    ? 'Update the card to keep access.'
    : 'Ask the owner or an administrator to update the card.'
  return {
    title: 'The last payment failed.',
    text: alert.hasEnded
      ? `Access to your plan has ended. ${nextStep}`
      : `You have access until ${formatBillingDate(alert.until)}. ${nextStep}`,
    action: 'Update card',
  }
}

/** Billing screens, which show the problem themselves. */
const pathsWithoutBanner = new Set(['/subscription', '/manage-subscription', '/billing-portal'])

/** Banner above every screen: the last payment failed, or the subscription ends. */
export function SubscriptionBanner({ user, path }: { user: CurrentUser; path: string }) {
  const styles = useStyles()
  const canManage = useHasPermission('settings')
  // Users who lost access because of a failed payment still have an open invoice.
  const enabled =
    user.practiceId !== null && (!user.isDemoUser || user.hasLapsed) && user.permissions.includes('billing')
  const { data } = useQuery({ ...subscriptionStatusQuery, enabled })
  const alert = data && enabled ? getSubscriptionAlert(data) : null
  if (!alert || pathsWithoutBanner.has(path)) return null
  const { title, text, action } = describeSubscriptionAlert(alert, canManage)
  const [tone, textStyle, Icon] =
    alert.kind === 'past-due'
      ? (['error', 'textError', PaymentRegular] as const)
      : (['warning', 'textWarning', CalendarCancelRegular] as const)
  return (
    <aside className={mergeClasses(styles.banner, styles[tone])} aria-label="Subscription">
      <Icon className={mergeClasses(styles.icon, styles[textStyle])} aria-hidden />
      <Text>
        <Text weight="semibold" className={styles[textStyle]}>
          {title}
        </Text>{' '}
        {text}
      </Text>
      {canManage && (
        <LinkButton
          className={styles.action}
          size="small"
          to={alert.kind === 'sandbox-ended' ? '/subscription' : '/manage-subscription'}
        >
          {action}
        </LinkButton>
      )}
    </aside>
  )
}
