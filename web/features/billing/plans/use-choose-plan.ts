import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SubscriptionView } from '#contracts/billing.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useChangePlan, useCreateSubscription } from '../api.ts'
import type { OfferedPlan } from './plan-cards.tsx'

/** The refusal of a plan that is too small for the practice, with one that is large enough. */
export type TooSmall = { text: string; suitable: PlanId }

/** Returns the function that chooses a plan: leads to payment, or during a trial changes the plan directly. */
export function useChoosePlan(subscription: SubscriptionView | null) {
  const navigate = useNavigate()
  const notify = useNotify()
  const create = useCreateSubscription()
  const change = useChangePlan()
  const busy = useRef(false)
  const [pending, setPending] = useState<PlanId | null>(null)
  const [tooSmall, setTooSmall] = useState<TooSmall | null>(null)

  async function startCheckout({ id }: OfferedPlan): Promise<void> {
    setTooSmall(null)
    try {
      await create.mutateAsync(id)
      await navigate({ to: '/subscription', search: { plan: id, step: 'payment' } })
    } catch (error) {
      // Clears the choice, in the URL too (spec page 2, section 8).
      await navigate({ to: '/subscription', search: {}, replace: true })
      const body = error instanceof ApiProblem ? error.detail : 'Failed to create subscription'
      notify({ title: 'Subscription Failed', body, intent: 'error' })
      const suitable = error instanceof ApiProblem && PlanId.safeParse(error.problem['tier']).data
      if (suitable) setTooSmall({ text: body, suitable })
    }
  }

  async function changeTo({ priceId }: OfferedPlan): Promise<void> {
    try {
      await change.mutateAsync(priceId)
      notify({ title: 'Plan Changed', body: 'Your subscription plan has been updated successfully.' })
      await navigate({ to: '/practice' })
    } catch (error) {
      const isRejected = error instanceof ApiProblem && error.status >= 400 && error.status < 500
      const body = isRejected ? error.detail : 'Failed to change plan. Please try again.'
      notify({ title: 'Error', body, intent: 'error' })
    }
  }

  async function choose(plan: OfferedPlan): Promise<void> {
    // A second click can arrive before the button is rendered as disabled.
    if (busy.current) return
    busy.current = true
    setPending(plan.id)
    try {
      if (!subscription) await startCheckout(plan)
      else if (subscription.status === 'trialing') await changeTo(plan)
      // A change that is charged is made on the screen that shows the amount.
      else await navigate({ to: '/manage-subscription' })
    } finally {
      busy.current = false
      setPending(null)
    }
  }

  return { choose: (plan: OfferedPlan) => void choose(plan), pending, tooSmall }
}
