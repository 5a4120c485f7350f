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

/** Card on file, with a button to replace it. */
export function PortalCard({ portal, view }: { portal: SandboxPortal; view: SubscriptionView }) {
  const styles = useStyles()
  const [isChanging, setIsChanging] = useState(false)
  const { card } = portal
  const isPastDue = view.status === 'past_due'
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
              bottom={isPastDue ? 'The last payment was declined' : `Expires ${formatCardExpiry(card)}`}
            />
          ) : (
            <Text>No card yet</Text>
          )}
        </div>
        {view.status !== 'canceled' && (
          <Button appearance={isPastDue ? 'primary' : 'secondary'} onClick={() => setIsChanging(true)}>
            Change card
          </Button>
        )}
      </div>
      {isChanging && (
        <CardDialog
          clientSecret={portal.clientSecret}
          hasOpenInvoice={isPastDue}
          onClose={() => setIsChanging(false)}
        />
      )}
    </Panel>
  )
}

/** Subscription that the card pays, with cancellation and reactivation. */
export function PortalSubscription({ view }: { view: SubscriptionView }) {
  const styles = useStyles()
  const [isCanceling, setIsCanceling] = useState(false)
  const reactivation = useReactivateWithNotice(view)
  const canChange = isRunning(view) || view.status === 'past_due'
  return (
    <Panel title="Subscription" action={<StatusBadge {...getSubscriptionBadge(view)} />}>
      <div className={styles.row}>
        <TwoLineCell
          strong
          wrap
          top={`${view.plan.name}, ${formatCents(view.plan.amount)} per ${view.plan.interval}`}
          bottom={`${getSubscriptionDateLabel(view)} ${formatBillingDate(getSubscriptionDate(view))}`}
        />
        {canChange &&
          (view.cancelAtPeriodEnd ? (
            <Button disabledFocusable={reactivation.isPending} onClick={() => void reactivation.run()}>
              {reactivation.isPending ? 'Reactivating...' : 'Reactivate'}
            </Button>
          ) : (
            <Button onClick={() => setIsCanceling(true)}>Cancel Subscription</Button>
          ))}
      </div>
      {isCanceling && <CancelSubscriptionDialog view={view} onClose={() => setIsCanceling(false)} />}
    </Panel>
  )
}
