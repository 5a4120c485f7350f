import { z } from 'zod'
import { PlanId } from '#contracts/values/plans.ts'

const storageKey = 'everchart.chosen-plan'
/** Long enough to come back to another day; a choice that is older is forgotten by the visitor too. */
const maxAgeMs = 7 * 24 * 3_600_000

const Choice = z.object({ plan: PlanId, at: z.number(), userId: z.string().nullable() })

/**
 * Remembers in this browser, for a week or until sign-out, the plan that a visitor chose last. `userId` is null before the
 * visitor has signed in.
 */
export const keepChosenPlan = (plan: PlanId, userId: string | null, now = Date.now()): void =>
  localStorage.setItem(storageKey, JSON.stringify({ plan, at: now, userId } satisfies z.infer<typeof Choice>))

/** Returns the plan that a user chose last, before signing in or since; null if there is none. */
export function findChosenPlan(userId: string | null, now = Date.now()): PlanId | null {
  const choice = parseChoice(localStorage.getItem(storageKey))
  if (!choice || (choice.userId !== null && choice.userId !== userId)) return null
  return choice.at <= now && now - choice.at < maxAgeMs ? choice.plan : null
}

/** Forgets the remembered plan: it was paid for, or the user signed out. */
export const forgetChosenPlan = (): void => localStorage.removeItem(storageKey)

function parseChoice(stored: string | null): z.infer<typeof Choice> | null {
  try {
    return Choice.safeParse(JSON.parse(stored ?? '')).data ?? null
  } catch {
    return null
  }
}

/** Returns the plan in the path that a visitor wanted to open; null if it names none. */
export const parseChosenPlan = (path: string | undefined): PlanId | null =>
  PlanId.safeParse(new URLSearchParams(path?.split('?')[1]).get('plan')).data ?? null
