import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PracticeId } from './values/ids.ts'
import { PlanId } from './values/plans.ts'

/** The choices of a practice about its work in Everchart. */
const PracticeSettings = z.object({
  timezone: z.string(),
  newsletterOptIn: z.boolean(),
  selectedPlan: PlanId.nullable(),
})

/** A practice as its members see it. The schemas of its fields are in `practice-settings.ts`. */
export const Practice = z.object({
  id: PracticeId,
  name: z.string(),
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  website: z.string().nullable(),
  specialties: z.array(z.string()),
  npi: z.string().nullable(),
  taxId: z.string().nullable(),
  timezone: z.string(),
  newsletterOptIn: z.boolean(),
  /** Null also for callers without the permission `billing`. */
  selectedPlan: PlanId.nullable(),
  /** True when the setup wizard was finished. */
  setupComplete: z.boolean(),
  /** The choices that are not part of the practice's address (spec page 2, section 3.2), the same values as above. */
  settings: PracticeSettings,
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Practice = z.infer<typeof Practice>

/** 404 for callers who are not members. */
export const getPractice = endpoint({
  method: 'GET',
  path: '/api/practices/:practiceId',
  access: 'member',
  params: z.object({ practiceId: PracticeId }),
  reply: Practice,
  withhold: (practice: Practice, may): Practice =>
    may('billing')
      ? practice
      : { ...practice, selectedPlan: null, settings: { ...practice.settings, selectedPlan: null } },
})
