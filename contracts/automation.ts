import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AutomationKind, AutomationOutcome, estimateLimits, SwitchableAutomation } from './values/automation.ts'
import { PatientId } from './values/ids.ts'

const access = { permission: 'scheduling' } as const

const count = z.number().int()

/** The estimates behind the time and the money that are saved. */
export const AutomationEstimates = z.strictObject({
  minutesPerMessage: z
    .number({ error: 'Please enter the minutes' })
    .int('Please enter whole minutes')
    .min(0, 'Please enter 0 minutes or more')
    .max(estimateLimits.minutes, `Please enter at most ${estimateLimits.minutes} minutes`),
  minutesPerForm: z
    .number({ error: 'Please enter the minutes' })
    .int('Please enter whole minutes')
    .min(0, 'Please enter 0 minutes or more')
    .max(estimateLimits.minutes, `Please enter at most ${estimateLimits.minutes} minutes`),
  hourlyRateCents: z
    .number({ error: 'Please enter an amount' })
    .int('Please enter an amount with at most two decimals')
    .min(0, 'Please enter 0 or more')
    .max(estimateLimits.hourlyRateCents, 'Please enter at most 1,000.00'),
})
export type AutomationEstimates = z.infer<typeof AutomationEstimates>

/**
 * The work that ran by itself since the first of the month in the practice's time zone. `actions` are messages, answers of patients,
 * analyses and expiries, where messages and answers include those about offers to the waitlist, and actions those about satisfaction; `failed` of them needed a person. Time and money are the actions multiplied by the estimates.
 */
export const AutomationSummary = z.object({
  /** The first day, YYYY-MM-DD. */
  since: z.string(),
  actions: count,
  failed: count,
  messages: count,
  answers: count,
  analyses: count,
  expiries: count,
  minutesSaved: count,
  savedCents: count,
})
export type AutomationSummary = z.infer<typeof AutomationSummary>

/** The records that automation works on, of all time (spec page 1, section 3), and what it saved this month. */
export const AutomationStats = z.object({
  appointmentConfirmations: z.object({
    total: count,
    sent: count,
    confirmed: count,
    pending: count,
    declined: count,
    failed: count,
  }),
  priorAuthorizations: z.object({ total: count, approved: count, pending: count, denied: count }),
  /** `averageDuration` is in seconds. */
  callLogs: z.object({
    total: count,
    aiHandled: count,
    transferredToHuman: count,
    averageDuration: count,
    followUps: count,
  }),
  /** `inReview` are those of `pending` that wait for a doctor. */
  clinicalDocs: z.object({
    total: count,
    aiGenerated: count,
    providerApproved: count,
    pending: count,
    inReview: count,
  }),
  /** `proposed` are those of `pending` that a process has created and no person has ordered. */
  supplyOrders: z.object({ total: count, autoOrdered: count, pending: count, delivered: count, proposed: count }),
  /** Messages from patients that are neither read nor answered. */
  openMessages: count,
  summary: AutomationSummary,
  estimates: AutomationEstimates,
})
export type AutomationStats = z.infer<typeof AutomationStats>

/** Counts what runs by itself. */
export const getAutomationStats = endpoint({
  method: 'GET',
  path: '/api/automation/stats',
  access,
  reply: AutomationStats,
})

/** Work that ran by itself. `recordId` is the confirmation, form or verification; `patientName` is null for a removed patient. */
export const AutomationAction = z.object({
  id: z.string(),
  at: z.string(),
  kind: AutomationKind,
  outcome: AutomationOutcome,
  recordId: z.string(),
  patientId: PatientId,
  patientName: z.string().nullable(),
})
export type AutomationAction = z.infer<typeof AutomationAction>

/** Lists what ran by itself, newest first. `Link` as in every list. */
export const listAutomationActivity = endpoint({
  method: 'GET',
  path: '/api/automation/activity',
  access,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(500).optional(),
  }),
  reply: z.array(AutomationAction),
})

/** Saves the estimates. */
export const saveAutomationEstimates = endpoint({
  method: 'POST',
  path: '/api/automation/estimates',
  access: { permission: 'settings' },
  body: AutomationEstimates,
  reply: AutomationEstimates,
})

/**
 * An automation, on or off. `changedAt` and `changedBy` are null while it was never switched; `changedBy` is also
 * null when the user's name is not known any more. `isConnected` is false where the service that it needs is not configured.
 */
export const AutomationSwitch = z.object({
  automation: SwitchableAutomation,
  isOn: z.boolean(),
  isConnected: z.boolean(),
  changedAt: z.string().nullable(),
  changedBy: z.string().nullable(),
})
export type AutomationSwitch = z.infer<typeof AutomationSwitch>

/** Lists what runs by itself, each with who switched it last. */
export const listAutomationSwitches = endpoint({
  method: 'GET',
  path: '/api/automation/switches',
  access,
  reply: z.array(AutomationSwitch),
})

/** Switches one on or off. Repeated, it changes nothing. */
export const switchAutomation = endpoint({
  method: 'PATCH',
  path: '/api/automation/switches',
  access: { permission: 'settings' },
  body: z.strictObject({
    automation: SwitchableAutomation,
    isOn: z.boolean({ error: 'Please choose on or off' }),
  }),
  reply: AutomationSwitch,
})
