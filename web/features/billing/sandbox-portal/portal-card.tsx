import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { PaymentRegular } from '@fluentui/react-icons/svg/payment'
import { useState } from 'react'
import type { SubscriptionView } from '#contracts/billing.ts'
import type { SandboxPortal } from '#contracts/billing-sandbox.ts'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import {
  getSubscriptionBadge,
  getSubscriptionDateLabel,
  getSubscriptionDate,
} from '#web/entities/billing/subscription-labels.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'
import { TwoLineCell } from '#web/ui/text.tsx'
import { CancelSubscriptionDialog } from '../manage/cancel-subscription-dialog.tsx'
import { isRunning } from '../manage/manage-labels.ts'
import { CardDialog } from './card-dialog.tsx'
import { formatCard, formatCardExpiry } from './portal-labels.ts'
import { useReactivateWithNotice } from '../manage/use-reactivate-with-notice.ts'

const useStyles = makeStyles({
  row: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    flexWrap: 'wrap',
    columnGap: '16px',
    rowGap: '12px',
  },
  card: { display: 'grid', gridTemplateColumns: '24px minmax(0, 1fr)', columnGap: '12px', alignItems: 'center' },
  icon: { fontSize: '24px', color: tokens.colorNeutralForeground3 },
})

/** The card that pays, as far as it is kept, and the way to another. */
export function PortalCard({ portal, view }: { portal: SandboxPortal; view: SubscriptionView }) {
  const styles = useStyles()
  const [changing, change] = useState(false)
  const { card } = portal
  const owes = view.status === 'past_due'
  return (
    <Panel title="Card on file">
      <div className={styles.row}>
        <div className={styles.card}>
          <PaymentRegular className={styles.icon} aria-hidden />
          {card ? (
            <TwoLineCell
              strong
              wrap
              top={formatCard(card)}
              bottom={owes ? 'Refused the last payment' : `Expires ${formatCardExpiry(card)}`}
            />
          ) : (
            <Text>No card yet</Text>
          )}
        </div>
        {view.status !== 'canceled' && (
          <Button appearance={owes ? 'primary' : 'secondary'} onClick={() => change(true)}>
            Change card
          </Button>
        )}
      </div>
      {changing && <CardDialog clientSecret={portal.clientSecret} owes={owes} onClose={() => change(false)} />}
    </Panel>
  )
}

/** What the card pays for, and the way out and back. */
export function PortalSubscription({ view }: { view: SubscriptionView }) {
  const styles = useStyles()
  const [canceling, ask] = useState(false)
  const back = useReactivateWithNotice(view)
  const live = isRunning(view) || view.status === 'past_due'
  return (
    <Panel title="Subscription" action={<StatusBadge {...getSubscriptionBadge(view)} />}>
      <div className={styles.row}>
        <TwoLineCell
          strong
          wrap
          top={`${view.plan.name}, ${formatCents(view.plan.amount)} per ${view.plan.interval}`}
          bottom={`${getSubscriptionDateLabel(view)} ${formatBillingDate(getSubscriptionDate(view))}`}
        />
        {live &&
          (view.cancelAtPeriodEnd ? (
            <Button disabledFocusable={back.isPending} onClick={() => void back.run()}>
              {back.isPending ? 'Reactivating...' : 'Reactivate'}
            </Button>
          ) : (
            <Button onClick={() => ask(true)}>Cancel Subscription</Button>
          ))}
      </div>
      {canceling && <CancelSubscriptionDialog view={view} onClose={() => ask(false)} />}
    </Panel>
  )
}
