import { z } from 'zod'

/** The kind of work that ran by itself. */
export const AutomationKind = z.enum(['message', 'answer', 'offer', 'survey', 'analysis', 'coverage', 'expiry'])
export type AutomationKind = z.infer<typeof AutomationKind>

/** The result of an action. `failed` needs a person; `confirmed` and `declined` are answers of patients or insurers. */
export const AutomationOutcome = z.enum(['sent', 'confirmed', 'declined', 'completed', 'failed'])
export type AutomationOutcome = z.infer<typeof AutomationOutcome>

/**
 * Work that a practice can switch off: asking patients about appointments, asking insurers about new coverages and again before
 * appointments, and analyzing forms as soon as they are handed in.
 */
export const SwitchableAutomation = z.enum(['confirmations', 'eligibility', 'coverage-rechecks', 'form-analysis'])
export type SwitchableAutomation = z.infer<typeof SwitchableAutomation>

/** Returns whether an automation asks insurers, for which an installation needs a clearinghouse. */
export const asksInsurers = (automation: SwitchableAutomation): boolean =>
  automation === 'eligibility' || automation === 'coverage-rechecks'

/** Limits of the estimates: minutes of one piece of work, and the pay of an hour in cents. */
export const estimateLimits = { minutes: 240, hourlyRateCents: 1_000_00 } as const

/** The estimates of a practice that has stated none: a call to a patient, reading a form, and an hour at the front desk. */
export const defaultEstimates = { minutesPerMessage: 3, minutesPerForm: 6, hourlyRateCents: 28_00 } as const

/** The minutes that a person would need for a piece of work, and the pay of an hour in cents, as a practice states them. */
export type Estimates = { minutesPerMessage: number; minutesPerForm: number; hourlyRateCents: number }

/** The numbers of actions by which time is saved. */
export type SavingActions = { messages: number; analyses: number }

/** Returns the minutes that people would have needed. */
export const computeMinutesSaved = (
  { messages, analyses }: SavingActions,
  { minutesPerMessage, minutesPerForm }: Estimates,
): number => messages * minutesPerMessage + analyses * minutesPerForm

/** Returns the pay for a number of minutes, in cents, rounded to whole cents. */
export const computeSavedCents = (minutes: number, { hourlyRateCents }: Pick<Estimates, 'hourlyRateCents'>): number =>
  Math.round((minutes * hourlyRateCents) / 60)
