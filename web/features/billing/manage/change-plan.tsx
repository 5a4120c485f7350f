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
import { getRefusalMessage } from '../refusals.ts'

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

/** A plan of the list, as it is offered and sold. */
type PlanOffer = { id: PlanId; name: string; price: number; features: readonly string[]; priceId: string }

/** The three plans, and the way from the one there is to another. */
export function ChangePlan({ plans, view }: { plans: readonly PlanOffer[]; view: SubscriptionView }) {
  const styles = useStyles()
  const [to, ask] = useState<PlanOffer | null>(null)
  return (
    <Panel title="Change Plan">
      <SecondaryText as="p">Upgrades start at once, downgrades on the next billing date.</SecondaryText>
      <ul className={styles.list} aria-label="Plans">
        {plans.map((plan) => (
          <PlanRow key={plan.id} plan={plan} view={view} onChoose={() => ask(plan)} />
        ))}
      </ul>
      {to && <ChangePlanDialog to={to} view={view} onClose={() => ask(null)} />}
    </Panel>
  )
}

function PlanRow({ plan, view, onChoose }: { plan: PlanOffer; view: SubscriptionView; onChoose: () => void }) {
  const styles = useStyles()
  const id = useId()
  const step = getPlanAction(plan.id, view)
  const full = step === 'downgrade' ? describePlanTooSmall(plan.id, view.patients) : null
  return (
    <li className={styles.row}>
      <TwoLineCell strong top={plan.name} bottom={`$${plan.price} per month`} />
      <span className={styles.about}>
        <Text className={styles.features}>{plan.features.slice(0, 3).join(', ')}</Text>
        {full && (
          <Text id={id} className={styles.small}>
            {full}
          </Text>
        )}
      </span>
      <span className={styles.step}>
        {step === 'yours' ? (
          <StatusBadge status="active" label="Your plan" plain />
        ) : step === 'next' ? (
          <StatusBadge status="scheduled" label={`From ${formatBillingDate(view.currentPeriodEnd)}`} plain />
        ) : (
          <Button
            className={styles.button}
            aria-label={`${stepLabels[step]} ${step === 'keep' ? plan.name : `to ${plan.name}`}`}
            aria-describedby={full ? id : undefined}
            onClick={onChoose}
          >
            {stepLabels[step]}
          </Button>
        )}
      </span>
    </li>
  )
}

const stepLabels = { upgrade: 'Upgrade', downgrade: 'Downgrade', keep: 'Keep' } as const

/** Says what the change means and when, before it is made. A refusal is said here too, with the way out. */
function ChangePlanDialog({ to, view, onClose }: { to: PlanOffer; view: SubscriptionView; onClose: () => void }) {
  const notify = useNotify()
  const navigate = useNavigate()
  const change = useChangePlan()
  // What is asked stays as it was while the answer comes in.
  const [asked] = useState({ question: getChangeConfirmation(to.id, view), sentences: describePlanChange(to.id, view) })
  const full = getPlanAction(to.id, view) === 'downgrade' ? describePlanTooSmall(to.id, view.patients) : null
  const confirm = async () => {
    try {
      await change.mutateAsync(to.priceId)
      notify({ title: 'Plan Changed', body: 'Your subscription plan has been updated successfully.' })
      onClose()
    } catch (error) {
      if (getRefusalMessage(error) === null)
        notify({ title: 'Error', body: 'Failed to change plan. Please try again.', intent: 'error' })
    }
  }
  const { title, action, pending } = asked.question
  if (full)
    return (
      <ConfirmDialog
        open
        title={`${to.name} is too small`}
        action="Open patients"
        cancel={`Keep ${view.plan.name}`}
        onConfirm={() => void navigate({ to: '/patients' })}
        onCancel={onClose}
      >
        <Text>{full}</Text>
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
      {asked.sentences.map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
    </ConfirmDialog>
  )
}
