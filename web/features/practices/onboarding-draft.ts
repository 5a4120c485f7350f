import { z } from 'zod'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Practice } from '#contracts/practices.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { findChosenPlan } from '#web/entities/billing/chosen-plan.ts'

/** Input of the practice form, as typed. */
const Details = z.object({
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  website: z.string(),
  specialties: z.array(z.string()),
  npi: z.string(),
  taxId: z.string(),
})
export type Details = z.infer<typeof Details>

const Draft = z.object({
  step: z.number().int().min(1).max(5),
  details: Details,
  newsletterOptIn: z.boolean(),
  selectedPlan: PlanId.nullable(),
})
export type Draft = z.infer<typeof Draft>

const storageKey = (userId: string) => `everchart.onboarding.${userId}`

type Owner = Pick<CurrentUser, 'id' | 'email' | 'newsletterOptIn' | 'isActiveSubscriber' | 'subscriptionTier'>

/** Creates the initial draft: email (spec) and newsletter as the owner registered. */
const createEmptyDraft = ({ email, newsletterOptIn }: Owner): Draft => ({
  step: 1,
  details: { name: '', address: '', phone: '', email, website: '', specialties: [], npi: '', taxId: '' },
  newsletterOptIn,
  selectedPlan: null,
})

/**
 * Returns the draft to resume, from session storage and the practice on the server. Without a practice it is at the form at
 * most, with one at the newsletter or later unless the form was reopened, and with a complete one at the last step. A plan
 * that was chosen elsewhere, before or since, replaces the one in the draft. An owner who has paid already goes on from the
 * plan, with the newsletter as chosen at registration.
 */
export function resumeDraft(user: Owner, practice: Practice | null): Draft {
  const stored = loadDraft(user.id) ?? createEmptyDraft(user)
  const draft = { ...stored, selectedPlan: findChosenPlan(user.id) ?? stored.selectedPlan }
  if (!practice) return { ...draft, step: Math.min(draft.step, 2) }
  const details = draft.step === 2 && draft.details.name !== '' ? draft.details : toDetails(practice)
  if (practice.setupComplete) return { ...draft, details, step: 5, selectedPlan: practice.selectedPlan }
  if (draft.step === 2) return { ...draft, details }
  if (user.isActiveSubscriber) return { ...draft, details, step: 4, selectedPlan: user.subscriptionTier }
  return { ...draft, details, step: Math.min(Math.max(draft.step, 3), 4) }
}

function loadDraft(userId: string): Draft | null {
  const stored = sessionStorage.getItem(storageKey(userId))
  if (stored === null) return null
  try {
    return Draft.parse(JSON.parse(stored))
  } catch {
    return null
  }
}

export function saveDraft(userId: string, draft: Draft): void {
  sessionStorage.setItem(storageKey(userId), JSON.stringify(draft))
}

export function deleteDraft(userId: string): void {
  sessionStorage.removeItem(storageKey(userId))
}

const toDetails = ({ name, address, phone, email, website, specialties, npi, taxId }: Practice): Details => ({
  name,
  address,
  phone,
  email,
  website: website ?? '',
  specialties,
  npi: npi ?? '',
  taxId: taxId ?? '',
})
