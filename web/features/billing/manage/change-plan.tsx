import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { SubscriptionView } from '#contracts/billing.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useChangePlan } from '../api.ts'
import { getChangeConfirmation, describePlanChange, getPlanAction, describePlanTooSmall } from './manage-labels.ts'
import { describeFailure, getRefusalMessage, isUnconfirmed } from '../refusals.ts'

const small = '@media (max-width: 767px)'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: '176px minmax(0, 1fr) minmax(116px, auto)',
    columnGap: '16px',
    alignItems: 'center',
    minHeight: '72px',
    padding: '8px 0',
    boxSizing: 'border-box',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none' },
    [small]: { gridTemplateColumns: 'minmax(0, 1fr) auto', padding: '12px 0', rowGap: '6px' },
  },
  about: { display: 'grid', rowGap: '2px', [small]: { gridColumn: '1 / -1', gridRow: 2 } },
  features: { color: tokens.colorNeutralForeground2 },
  small: { color: tokens.colorStatusWarningForeground1, fontSize: tokens.fontSizeBase200 },
  step: { justifySelf: 'end', display: 'flex', alignItems: 'center', minHeight: '32px' },
  button: { minWidth: '116px' },
})

/** Plan that can be chosen, with its price at the payment provider. */
type PlanOffer = { id: PlanId; name: string; price: number; features: readonly string[]; priceId: string }

/** List of plans, each with a button to change to it. */
export function ChangePlan({ plans, view }: { plans: readonly PlanOffer[]; view: SubscriptionView }) {
  const styles = useStyles()
  const [target, setTarget] = useState<PlanOffer | null>(null)
  return (
    <Panel title="Change Plan">
      <SecondaryText as="p">Upgrades start at once, downgrades on the next billing date.</SecondaryText>
      <ul className={styles.list} aria-label="Plans">
        {plans.map((plan) => (
          <PlanRow key={plan.id} plan={plan} view={view} onChoose={() => setTarget(plan)} />
        ))}
      </ul>
      {target && <ChangePlanDialog target={target} view={view} onClose={() => setTarget(null)} />}
    </Panel>
  )
}

function PlanRow({ plan, view, onChoose }: { plan: PlanOffer; view: SubscriptionView; onChoose: () => void }) {
  const styles = useStyles()
  const id = useId()
  const action = getPlanAction(plan.id, view)
  const tooSmall = action === 'downgrade' ? describePlanTooSmall(plan.id, view) : null
  return (
    <li className={styles.row}>
      <TwoLineCell strong top={plan.name} bottom={`$${plan.price} per month`} />
      <span className={styles.about}>
        <Text className={styles.features}>{plan.features.slice(0, 3).join(', ')}</Text>
        {tooSmall && (
          <Text id={id} className={styles.small}>
            {tooSmall.text}
          </Text>
        )}
      </span>
      <span className={styles.step}>
        {action === 'current' ? (
          <StatusBadge status="active" label="Your plan" plain />
        ) : action === 'next' ? (
          <StatusBadge status="scheduled" label={`From ${formatBillingDate(view.currentPeriodEnd)}`} plain />
        ) : (
          <Button
            className={styles.button}
            aria-label={`${actionLabels[action]} ${action === 'keep' ? plan.name : `to ${plan.name}`}`}
            aria-describedby={tooSmall ? id : undefined}
            onClick={onChoose}
          >
            {actionLabels[action]}
          </Button>
        )}
      </span>
    </li>
  )
}

const actionLabels = { upgrade: 'Upgrade', downgrade: 'Downgrade', keep: 'Keep' } as const

/** Confirmation of a plan change, with its effects and date. Also shows why a change was rejected. */
function ChangePlanDialog({
  target,
  view,
  onClose,
}: {
  target: PlanOffer
  view: SubscriptionView
  onClose: () => void
}) {
  const notify = useNotify()
  const navigate = useNavigate()
  const change = useChangePlan()
  // Keeps the text stable when the subscription is updated by the change itself.
  const [confirmation] = useState({
    question: getChangeConfirmation(target.id, view),
    sentences: describePlanChange(target.id, view),
  })
  const tooSmall = getPlanAction(target.id, view) === 'downgrade' ? describePlanTooSmall(target.id, view) : null
  const confirm = async () => {
    try {
      await change.mutateAsync(target.priceId)
      notify({ title: 'Plan Changed', body: 'Your subscription plan has been updated successfully.' })
      onClose()
    } catch (error) {
      if (getRefusalMessage(error) === null) notify(describeFailure(error, 'Failed to change plan. Please try again.'))
      // The screen behind the question shows what has happened.
      if (isUnconfirmed(error)) onClose()
    }
  }
  const { title, action, pending } = confirmation.question
  if (tooSmall)
    return (
      <ConfirmDialog
        open
        title={`${target.name} is too small`}
        action={tooSmall.subject === 'patients' ? 'Open patients' : 'Open providers'}
        cancel={`Keep ${view.plan.name}`}
        onConfirm={() => void navigate({ to: tooSmall.subject === 'patients' ? '/patients' : '/practice' })}
        onCancel={onClose}
      >
        <Text>{tooSmall.text}</Text>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      open
      title={title}
      action={action}
      pendingAction={pending}
      pending={change.isPending}
      failure={getRefusalMessage(change.error)}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {confirmation.sentences.map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
    </ConfirmDialog>
  )
}
