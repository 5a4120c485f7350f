import { getRouteApi } from '@tanstack/react-router'
import { PaymentStep } from './checkout/payment-step.tsx'
import { PlanPicker } from './plans/plan-picker.tsx'

const route = getRouteApi('/shell/subscription')

/** Plan selection and payment. */
export function SubscriptionScreen() {
  const { plan, step } = route.useSearch()
  return step === 'payment' && plan ? <PaymentStep plan={plan} /> : <PlanPicker preselected={plan} />
}
