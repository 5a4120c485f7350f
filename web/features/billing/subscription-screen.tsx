import { getRouteApi } from '@tanstack/react-router'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { findChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { PaymentStep } from './checkout/payment-step.tsx'
import { PlanPicker } from './plans/plan-picker.tsx'

const route = getRouteApi('/shell/subscription')

/** Plan selection and payment. The plan that the user chose last is highlighted. */
export function SubscriptionScreen() {
  const { plan, step } = route.useSearch()
  const user = useCurrentUser()
  if (step === 'payment' && plan) return <PaymentStep plan={plan} />
  return <PlanPicker preselected={plan ?? (user && findChosenPlan(user.id)) ?? undefined} />
}
