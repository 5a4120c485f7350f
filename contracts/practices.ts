import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentType } from './values/appointments.ts'
import { Colour } from './values/colours.ts'
import { PracticeId } from './values/ids.ts'
import { Money } from './values/money.ts'
import { PlanId } from './values/plans.ts'
import type { Permission } from './values/roles.ts'
import { SessionTimeout } from './values/session-timeout.ts'

/** The choices of a practice about its work in Everchart. */
const PracticeSettings = z.object({
  timezone: z.string(),
  sessionTimeout: SessionTimeout,
  requireTwoFactor: z.boolean(),
  newsletterOptIn: z.boolean(),
  selectedPlan: PlanId.nullable(),
  /** The types of appointments: the duration in minutes that the screens propose, and the color that marks the type, if any. */
  appointmentTypes: z.record(
    AppointmentType,
    z.object({
      duration: z.number(),
      /** Null for callers without the permission `billing`. */
      fee: Money.nullable(),
      colour: Colour.nullable(),
    }),
  ),
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
  /** Minutes after which unused sessions of its members end. */
  sessionTimeout: SessionTimeout,
  /** True while every member needs two-factor sign-in. */
  requireTwoFactor: z.boolean(),
  newsletterOptIn: z.boolean(),
  /** Null also for callers without the permission `billing`. */
  selectedPlan: PlanId.nullable(),
  /** True when the setup wizard was finished. */
  setupComplete: z.boolean(),
  /** The choices that are not part of the practice's address (spec page 2, section 3.2); those that are above have the same values. */
  settings: PracticeSettings,
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Practice = z.infer<typeof Practice>

/** Withholds the plan and the fees from callers who have nothing to do with money. */
export function withholdMoney(practice: Practice, may: (permission: Permission) => boolean): Practice {
  if (may('billing')) return practice
  const appointmentTypes = Object.fromEntries(
    Object.entries(practice.settings.appointmentTypes).map(([type, settings]) => [type, { ...settings, fee: null }]),
  ) as Practice['settings']['appointmentTypes']
  return { ...practice, selectedPlan: null, settings: { ...practice.settings, selectedPlan: null, appointmentTypes } }
}

/** 404 for callers who are not members. */
export const getPractice = endpoint({
  method: 'GET',
  path: '/api/practices/:practiceId',
  access: 'member',
  params: z.object({ practiceId: PracticeId }),
  reply: Practice,
  withhold: withholdMoney,
})
