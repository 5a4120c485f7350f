import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { PracticeSetup } from '#contracts/practice-settings.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { errorMessage } from '#web/api/call.ts'
import { keepChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { getBrowserTimeZone } from '#web/ui/dates.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useSetUpPractice } from './api.ts'
import { type Draft, resumeDraft, saveDraft } from './onboarding-draft.ts'

/** The setup of a practice: what was entered so far, and the functions that keep it and send it. */
export type Onboarding = ReturnType<typeof useOnboarding>

/** Returns the setup of a user's practice, which continues where the user has left it. */
export function useOnboarding(user: CurrentUser) {
  const notify = useNotify()
  const { data: practice = null } = useQuery({
    ...practiceQuery(user.practiceId ?? ''),
    enabled: user.practiceId !== null,
  })
  const [draft, setDraft] = useState<Draft>(() => resumeDraft(user, practice))
  const setup = useSetUpPractice()
  const { newsletterOptIn } = draft
  const paidPlan = user.isActiveSubscriber ? user.subscriptionTier : null
  const selectedPlan = paidPlan ?? draft.selectedPlan
  const timeZone = practice?.timezone ?? getBrowserTimeZone()

  function change(next: Partial<Draft>): void {
    const changed = { ...draft, ...next }
    saveDraft(user.id, changed)
    setDraft(changed)
  }

  async function send(
    more: Partial<Pick<Draft, 'newsletterOptIn' | 'selectedPlan'>>,
    values: Draft['details'],
  ): Promise<void> {
    const { selectedPlan: plan, newsletterOptIn: newsletter } = { ...draft, ...more }
    await setup.mutateAsync({
      ...(values as PracticeSetup),
      timezone: timeZone,
      newsletterOptIn: newsletter,
      ...('selectedPlan' in more && plan ? { selectedPlan: plan } : {}),
    })
  }

  async function finish(): Promise<void> {
    try {
      await send({ newsletterOptIn, selectedPlan }, draft.details)
      notify({ title: 'Practice Setup Complete!', body: 'Your practice has been successfully configured.' })
      change({ step: 5 })
    } catch (error) {
      notify({ title: 'Setup Failed', body: errorMessage(error) || 'Failed to set up practice', intent: 'error' })
    }
  }

  return {
    draft,
    change,
    /** Keeps what is being typed, without another rendering. */
    keepTyped: (details: Draft['details']) => saveDraft(user.id, { ...draft, details }),
    /** Saves the practice and continues. Rejects when it cannot be saved. */
    async savePractice(details: Draft['details']) {
      await send({}, details)
      change({ details, step: 3 })
    },
    choosePlan(plan: PlanId) {
      keepChosenPlan(plan, user.id)
      change({ selectedPlan: plan })
    },
    finish: useSubmitOnce(finish),
    isPending: setup.isPending,
    practice,
    timeZone,
    /** The plan that the practice pays for already; null for most. */
    paidPlan,
    selectedPlan,
  }
}
