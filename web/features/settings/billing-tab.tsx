import { Badge, Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowDownloadRegular } from '@fluentui/react-icons/svg/arrow-download'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sampleBilling } from '#contracts/sample-practice.ts'
import { useDownloadLatestInvoice, useOpenBillingPortal } from '#web/entities/billing/use-billing-portal.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import {
  getSubscriptionBadge,
  getSubscriptionDateLabel,
  getSubscriptionDate,
} from '#web/entities/billing/subscription-labels.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import {
  firstInvoiceNote,
  formatBillingDate,
  sandboxEnded,
  subscriptionStatusQuery,
} from '#web/entities/billing/subscription.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { SectionError, SectionLoading } from './sections/section-state.tsx'
import { SettingsGrid } from './sections/settings-grid.tsx'

const useStyles = makeStyles({
  plan: {
    display: 'block',
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.01em',
  },
  price: { display: 'block', color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase400 },
  next: { display: 'block', marginTop: '8px' },
  actions: { display: 'flex', columnGap: '8px', rowGap: '8px', flexWrap: 'wrap', marginTop: '20px' },
})

/** Summary of the subscription; the demo shows the sample's. */
export function BillingTab() {
  const styles = useStyles()
  const canManage = useHasPermission('settings')
  const user = useCurrentUser()
  // Users who lost access because of a failed payment still have an open invoice.
  const hasRealData = user !== null && (!user.isDemoUser || user.hasLapsed)
  const { data, error, isPending, refetch } = useQuery({ ...subscriptionStatusQuery, enabled: hasRealData })
  return (
    <SettingsGrid>
      {!hasRealData ? (
        <Panel
          title="Billing"
          action={
            <Badge appearance="outline" color="informative">
              Demo
            </Badge>
          }
        >
          <PlanSummary
            name={sampleBilling.plan}
            price={`${formatCents(sampleBilling.amount).replace('.00', '')} monthly`}
          >
            Next billing {sampleBilling.nextBilling}
          </PlanSummary>
          <BillingActions portal={false} />
        </Panel>
      ) : data?.isEndedSandbox ? (
        <Panel title="Billing" action={<StatusBadge status="cancelled" label="Ended" />}>
          <PlanSummary name={sandboxEnded.title} price={`${data.plan.name} has ended`}>
            {sandboxEnded.hint}
          </PlanSummary>
          <div className={styles.actions}>
            {canManage && (
              <LinkButton appearance="primary" to="/subscription" search={{ plan: data.plan.id }}>
                Choose a plan
              </LinkButton>
            )}
          </div>
        </Panel>
      ) : data ? (
        <Panel title="Billing" action={<StatusBadge {...getSubscriptionBadge(data)} />}>
          <PlanSummary name={data.plan.name} price={`${formatCents(data.plan.amount)} per ${data.plan.interval}`}>
            {getSubscriptionDateLabel(data)} {formatBillingDate(getSubscriptionDate(data))}
            {data.status === 'trialing' && `. ${firstInvoiceNote}`}
          </PlanSummary>
          <BillingActions portal />
        </Panel>
      ) : (
        <Panel title="Billing">
          {error ? (
            <SectionError subject="Billing details" error={error} onRetry={() => void refetch()} />
          ) : isPending ? (
            <SectionLoading rows={2} subject="the subscription" />
          ) : (
            <>
              <Text>Your practice has no subscription.</Text>
              <BillingActions portal={false} />
            </>
          )}
        </Panel>
      )}
    </SettingsGrid>
  )
}

function PlanSummary({ name, price, children }: { name: string; price: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <>
      <Text className={styles.plan}>{name}</Text>
      <Text className={styles.price}>{price}</Text>
      <SecondaryText className={styles.next}>{children}</SecondaryText>
    </>
  )
}

function BillingActions({ portal: hasPortal }: { portal: boolean }) {
  const styles = useStyles()
  const canManage = useHasPermission('settings')
  const portal = useOpenBillingPortal()
  const invoice = useDownloadLatestInvoice()
  return (
    <div className={styles.actions}>
      <LinkButton to="/manage-subscription">Manage Subscription</LinkButton>
      {canManage && hasPortal && (
        <Button icon={<OpenRegular />} disabledFocusable={portal.isPending} onClick={portal.open}>
          Billing Portal
        </Button>
      )}
      {canManage && (
        <Button icon={<ArrowDownloadRegular />} disabledFocusable={invoice.isPending} onClick={() => invoice.mutate()}>
          Download Invoice
        </Button>
      )}
    </div>
  )
}
