import { formatNumber } from '#web/ui/format.ts'
import type { SubscriptionView } from '#contracts/billing.ts'
import { type PlanId, getPlan } from '#contracts/values/plans.ts'
import { patientLimits, providerLimits } from '#contracts/values/tiers.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { getSubscriptionAlert, formatBillingDate } from '#web/entities/billing/subscription.ts'

/** Returns whether a subscription is active or in a trial, so that it can be canceled or changed. */
export const isRunning = ({ status }: Pick<SubscriptionView, 'status'>): boolean =>
  status === 'active' || status === 'trialing'

/** Relation of a plan to the current subscription: `keep` revokes a planned change, `next` is the planned plan. */
export type PlanAction = 'current' | 'keep' | 'next' | 'upgrade' | 'downgrade'

/** Returns what choosing a plan means; a higher price is an upgrade (spec page 1, section 4). */
export function getPlanAction(plan: PlanId, view: Pick<SubscriptionView, 'plan' | 'nextPlan'>): PlanAction {
  if (plan === view.plan.id) return view.nextPlan === null ? 'current' : 'keep'
  if (plan === view.nextPlan) return 'next'
  return getPlan(plan).price * 100 > view.plan.amount ? 'upgrade' : 'downgrade'
}

type PlanUse = Pick<SubscriptionView, 'patients' | 'providers'>

/** A plan that is too small: why, with the number to remove first (product.md 5), and of what. */
export type PlanTooSmall = { text: string; subject: 'patients' | 'providers' }

/** Returns why a plan is too small; null if it is not. */
export function describePlanTooSmall(plan: PlanId, { patients, providers }: PlanUse): PlanTooSmall | null {
  const { name } = getPlan(plan)
  const maxPatients = patientLimits[plan] ?? Infinity
  const maxProviders = providerLimits[plan] ?? Infinity
  if (patients > maxPatients)
    return {
      subject: 'patients',
      text: `${name} holds ${formatNumber(maxPatients)} patients and you have ${formatNumber(patients)}. Remove ${formatNumber(patients - maxPatients)} first.`,
    }
  if (providers > maxProviders)
    return {
      subject: 'providers',
      text: `${name} holds ${maxProviders} providers, and ${providers} are active or invited. Deactivate ${providers - maxProviders} first.`,
    }
  return null
}

/** Returns the patient count, "1,248 of 2,000", and the used share from 0 to 1; null for a plan without a limit. */
export function getPlanUsage(plan: PlanId, patients: number): { text: string; share: number | null } {
  const limit = patientLimits[plan]
  if (limit === null) return { text: `${formatNumber(patients)}, no limit`, share: null }
  return { text: `${formatNumber(patients)} of ${formatNumber(limit)}`, share: Math.min(1, patients / limit) }
}

/** Returns the effects of a plan change, as sentences. */
export function describePlanChange(to: PlanId, view: SubscriptionView): string[] {
  const { name, price } = getPlan(to)
  const current = view.plan.name
  const changeDate = formatBillingDate(view.currentPeriodEnd)
  const monthly = formatCents(price * 100)
  const action = getPlanAction(to, view)
  if (action === 'keep')
    return [
      `The change to ${getPlan(view.nextPlan ?? to).name} on ${changeDate} is canceled. ${current} continues unchanged.`,
    ]
  if (action === 'downgrade')
    return [
      `You keep ${current} until ${changeDate}. After that you have ${name}, for ${monthly} per month.`,
      `Features that only ${current} includes will no longer be available. Your data is kept.`,
    ]
  if (view.status === 'trialing')
    return [
      `${name} starts now.`,
      `Nothing is charged before the trial ends on ${changeDate}. Then it is ${monthly} per month.`,
    ]
  return [
    `${name} starts now.`,
    `The difference for the rest of this period is charged to your card today. From ${changeDate} it is ${monthly} per month.`,
  ]
}

/** Returns the effects of a cancellation, as sentences. With an open invoice, access ends before the period does. */
export function describeCancellation(view: SubscriptionView): string[] {
  const { plan, currentPeriodEnd } = view
  const alert = getSubscriptionAlert(view)
  const ends = formatBillingDate(currentPeriodEnd)
  const reactivationNote = 'Your data is kept, and you can reactivate until then.'
  if (alert?.kind !== 'past-due')
    return [`You keep ${plan.name} until ${ends}. Nothing is charged after that.`, reactivationNote]
  const access = alert.hasEnded
    ? `Access to ${plan.name} has ended, because the last payment failed.`
    : `The last payment failed, so you keep ${plan.name} until ${formatBillingDate(alert.until)}.`
  return [access, `The subscription ends on ${ends}, and you are not charged again. ${reactivationNote}`]
}

/** Returns the title and button labels of the confirmation of a plan change. */
export function getChangeConfirmation(
  to: PlanId,
  view: SubscriptionView,
): { title: string; action: string; pending: string } {
  const { name } = getPlan(to)
  const action = getPlanAction(to, view)
  if (action === 'keep') return { title: `Keep ${name}?`, action: `Keep ${name}`, pending: 'Changing...' }
  if (action === 'downgrade')
    return { title: `Downgrade to ${name}?`, action: `Downgrade to ${name}`, pending: 'Changing...' }
  return { title: `Upgrade to ${name}?`, action: `Upgrade to ${name}`, pending: 'Upgrading...' }
}
