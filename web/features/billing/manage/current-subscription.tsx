import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components'
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { MailRegular } from '@fluentui/react-icons/svg/mail'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PeopleRegular } from '@fluentui/react-icons/svg/people'
import type { ReactNode } from 'react'
import type { SubscriptionView } from '#contracts/billing.ts'
import { useDownloadLatestInvoice, useOpenBillingPortal } from '#web/entities/billing/use-billing-portal.ts'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import {
  getSubscriptionBadge,
  getSubscriptionDateLabel,
  getSubscriptionDate,
} from '#web/entities/billing/subscription-labels.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { firstInvoiceNote, formatBillingDate, formatDaysLeft } from '#web/entities/billing/subscription.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { isRunning, getPlanUsage } from './manage-labels.ts'

const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  top: {
    display: 'flex',
    alignItems: 'flex-end',
    justifyContent: 'space-between',
    flexWrap: 'wrap',
    columnGap: '16px',
    rowGap: '12px',
  },
  plan: {
    display: 'block',
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.01em',
  },
  price: { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase400 },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', rowGap: '8px' },
  details: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '24px',
    rowGap: '16px',
    margin: '20px 0 0',
    paddingTop: '16px',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    [small]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  detail: { position: 'relative', paddingLeft: '30px' },
  icon: { position: 'absolute', left: 0, top: '2px', fontSize: '20px' },
  text: { margin: 0, display: 'grid', overflowWrap: 'anywhere' },
  label: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  meter: { marginTop: '6px', marginBottom: '2px' },
})

/** Current plan with price, dates, usage and actions. */
export function CurrentSubscription({
  view,
  canManage,
  onCancel,
}: {
  view: SubscriptionView
  canManage: boolean
  onCancel: () => void
}) {
  const styles = useStyles()
  const portal = useOpenBillingPortal()
  const invoice = useDownloadLatestInvoice()
  const usage = getPlanUsage(view.plan.id, view.patients)
  const isInTrial = view.status === 'trialing' && !view.cancelAtPeriodEnd
  return (
    <Panel title="Current Subscription" action={<StatusBadge {...getSubscriptionBadge(view)} />}>
      <div className={styles.top}>
        <div>
          <Text className={styles.plan}>{view.plan.name}</Text>
          <Text className={styles.price}>
            {formatCents(view.plan.amount)} per {view.plan.interval}
          </Text>
        </div>
        {canManage && (
          <div className={styles.actions}>
            <Button
              icon={<ArrowDownloadRegular />}
              disabledFocusable={invoice.isPending}
              onClick={() => invoice.mutate()}
            >
              Download Invoice
            </Button>
            <Button icon={<OpenRegular />} disabledFocusable={portal.isPending} onClick={portal.open}>
              Billing Portal
            </Button>
            {isRunning(view) && !view.cancelAtPeriodEnd && <Button onClick={onCancel}>Cancel Subscription</Button>}
          </div>
        )}
      </div>
      <dl className={styles.details}>
        <DetailItem
          icon={<CalendarLtrRegular className={styles.icon} aria-hidden />}
          label={getSubscriptionDateLabel(view)}
        >
          <Text>{formatBillingDate(getSubscriptionDate(view))}</Text>
          {isInTrial && <SecondaryText>Free trial, {formatDaysLeft(view.currentPeriodEnd, view.asOf)}</SecondaryText>}
          {isInTrial && <SecondaryText>{firstInvoiceNote}</SecondaryText>}
        </DetailItem>
        {view.customer && (
          <DetailItem icon={<MailRegular className={styles.icon} aria-hidden />} label="Billing email">
            <Text>{view.customer.email}</Text>
          </DetailItem>
        )}
        <DetailItem icon={<PeopleRegular className={styles.icon} aria-hidden />} label="Patients">
          <Text>{usage.text}</Text>
          {usage.share !== null && (
            <ProgressBar
              className={styles.meter}
              value={usage.share}
              color={usage.share >= 1 ? 'warning' : 'brand'}
              aria-label={`Patients: ${usage.text}`}
            />
          )}
        </DetailItem>
      </dl>
    </Panel>
  )
}

function DetailItem({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <div className={styles.detail}>
      <dt className={styles.label}>
        {icon}
        {label}
      </dt>
      <dd className={styles.text}>{children}</dd>
    </div>
  )
}
