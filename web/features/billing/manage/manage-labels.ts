import type { SubscriptionView } from '#contracts/billing.ts'
import { type PlanId, getPlan } from '#contracts/values/plans.ts'
import { patientLimits } from '#contracts/values/tiers.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { getSubscriptionAlert, formatBillingDate } from '#web/entities/billing/subscription.ts'

/** Whether somebody pays, or will after the trial: then it can be ended or changed. */
export const isRunning = ({ status }: Pick<SubscriptionView, 'status'>): boolean =>
  status === 'active' || status === 'trialing'

/** What can be done with a plan of the list, seen from the subscription there is. */
export type PlanAction = 'yours' | 'keep' | 'next' | 'upgrade' | 'downgrade'

/** Dearer is an upgrade, cheaper a downgrade (spec page 1, section 4). */
export function getPlanAction(plan: PlanId, view: Pick<SubscriptionView, 'plan' | 'nextPlan'>): PlanAction {
  if (plan === view.plan.id) return view.nextPlan === null ? 'yours' : 'keep'
  if (plan === view.nextPlan) return 'next'
  return getPlan(plan).price * 100 > view.plan.amount ? 'upgrade' : 'downgrade'
}

const formatNumber = (number: number) => number.toLocaleString('en-US')

/** How many patients a plan has too little room for; 0 where all have room. */
export function countPatientsOverLimit(plan: PlanId, patients: number): number {
  const limit = patientLimits[plan]
  return limit === null ? 0 : Math.max(0, patients - limit)
}

/** Why a plan is too small, with the number to remove first (product.md 5); null where it is not. */
export function describePlanTooSmall(plan: PlanId, patients: number): string | null {
  const over = countPatientsOverLimit(plan, patients)
  if (over === 0) return null
  return `${getPlan(plan).name} holds ${formatNumber(patientLimits[plan] ?? 0)} patients and you have ${formatNumber(patients)}. Remove ${formatNumber(over)} first.`
}

/** "1,248 of 2,000", and how full that is from 0 to 1; a plan without a limit is never full. */
export function getPlanUsage(plan: PlanId, patients: number): { words: string; full: number | null } {
  const limit = patientLimits[plan]
  if (limit === null) return { words: `${formatNumber(patients)}, no limit`, full: null }
  return { words: `${formatNumber(patients)} of ${formatNumber(limit)}`, full: Math.min(1, patients / limit) }
}

/** What a change of plan means and when it comes, sentence by sentence. */
export function describePlanChange(to: PlanId, view: SubscriptionView): string[] {
  const { name, price } = getPlan(to)
  const from = view.plan.name
  const then = formatBillingDate(view.currentPeriodEnd)
  const monthly = formatCents(price * 100)
  const step = getPlanAction(to, view)
  if (step === 'keep')
    return [`The change to ${getPlan(view.nextPlan ?? to).name} on ${then} is taken back. ${from} goes on as it is.`]
  if (step === 'downgrade')
    return [
      `${from} stays as it is until ${then}. From then on you have ${name}, for ${monthly} per month.`,
      `What only ${from} offers is closed then. Your data stays.`,
    ]
  if (view.status === 'trialing')
    return [
      `${name} starts now.`,
      `Nothing is charged before the trial ends on ${then}. Then it is ${monthly} per month.`,
    ]
  return [
    `${name} starts now.`,
    `The difference for the rest of this period is charged to your card today. From ${then} it is ${monthly} per month.`,
  ]
}

/** What ending the subscription means, sentence by sentence. With an open invoice, access ends before the period does. */
export function describeCancellation(view: SubscriptionView): string[] {
  const { plan, currentPeriodEnd } = view
  const news = getSubscriptionAlert(view)
  const ends = formatBillingDate(currentPeriodEnd)
  const back = 'Your data stays, and you can take this back until then.'
  if (news?.kind !== 'past-due') return [`You keep ${plan.name} until ${ends}. Nothing is charged after that.`, back]
  const access = news.over
    ? `Access to ${plan.name} has ended, because the last payment failed.`
    : `The last payment failed, so you keep ${plan.name} until ${formatBillingDate(news.until)}.`
  return [access, `The subscription ends on ${ends}, and no further month is billed. ${back}`]
}

/** The question before a change of plan, and the words on its button. */
export function getChangeConfirmation(
  to: PlanId,
  view: SubscriptionView,
): { title: string; action: string; pending: string } {
  const { name } = getPlan(to)
  const step = getPlanAction(to, view)
  if (step === 'keep') return { title: `Keep ${name}?`, action: `Keep ${name}`, pending: 'Changing...' }
  if (step === 'downgrade')
    return { title: `Downgrade to ${name}?`, action: `Downgrade to ${name}`, pending: 'Changing...' }
  return { title: `Upgrade to ${name}?`, action: `Upgrade to ${name}`, pending: 'Upgrading...' }
}
