import { z } from 'zod'
import { EmailAddress } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Practice, withholdMoney } from './practices.ts'
import { AppointmentId, PracticeId } from './values/ids.ts'
import { PersonName } from './values/person-name.ts'
import { PlanId } from './values/plans.ts'
import { SessionTimeout } from './values/session-timeout.ts'
import { line, optionalLine, isStorable, text } from './values/text.ts'
import { TimeZone } from './values/time-zone.ts'

/** The eleven specialties a practice can choose (spec page 2, section 5.1). */
export const specialties = [
  'Family Medicine',
  'Internal Medicine',
  'Pediatrics',
  'Cardiology',
  'Dermatology',
  'Orthopedics',
  'Psychiatry',
  'Neurology',
  'Radiology',
  'Emergency Medicine',
  'Other',
] as const
const Specialty = z.enum(specialties)

/**
 * A US National Provider Identifier: ten digits, the last a Luhn check digit over the prefix 80840 (45 CFR 162.406).
 */
export function isNpi(value: string): boolean {
  if (!/^[12]\d{9}$/.test(value)) return false
  const sum = [...`80840${value}`].toReversed().reduce((total, digit, place) => {
    const n = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (n > 9 ? n - 9 : n)
  }, 0)
  return sum % 10 === 0
}

/** An empty text counts as absent. */
const clearable = <T extends z.ZodType<string, string>>(schema: T) =>
  z.union([schema, z.literal('').transform(() => null), z.null()])
const optional = <T extends z.ZodType<string, string>>(schema: T) =>
  clearable(schema)
    .optional()
    .transform((value) => value || null)

const Website = z
  .url({ protocol: /^https?$/, hostname: z.regexes.domain, error: 'Please enter a valid website URL' })
  .max(300, 'Please enter a valid website URL')
  .refine(isStorable, 'Please enter a valid website URL')

const Npi = z.string().trim().refine(isNpi, 'Please enter a valid NPI: ten digits with a correct check digit')

/** Step 2 of the set-up wizard: the practice itself. */
export const PracticeDetails = z.strictObject({
  name: line(200).pipe(z.string().min(2, 'Practice name must be at least 2 characters')),
  address: text(500).pipe(z.string().min(5, 'Please enter a complete address')),
  phone: line(40).pipe(z.string().min(10, 'Please enter a valid phone number')),
  email: EmailAddress,
  website: optional(Website),
  specialties: z
    .array(Specialty)
    .min(1, 'Please select at least one specialty')
    .max(100)
    .transform((chosen) => [...new Set(chosen)]),
  npi: optional(Npi),
  taxId: optionalLine(30)
    .optional()
    .transform((value) => value ?? null),
  timezone: TimeZone,
})
export type PracticeDetails = z.output<typeof PracticeDetails>

/**
 * Step 2 sends the details alone; step 4 sends them again with the newsletter and the plan, which completes the set-up.
 * A new practice without `email` gets its owner's address, and one without `timezone` the installation's time zone; an
 * existing practice keeps its own. The specification has no rule for `npi`: only the screens and the settings check its digits.
 */
export const PracticeSetup = PracticeDetails.extend({
  email: EmailAddress.optional(),
  timezone: TimeZone.optional(),
  npi: PracticeDetails.shape.taxId,
  /** Omitted, the owner's choice at registration stays. */
  newsletterOptIn: z.boolean().optional(),
  selectedPlan: PlanId.optional(),
})
export type PracticeSetup = z.output<typeof PracticeSetup>

const { name, address, phone, email, specialties: chosenSpecialties } = PracticeDetails.shape
/** The fields of a practice that the settings can change (spec page 2, section 4.8). */
export const PracticeFields = z.strictObject({
  name,
  address,
  phone,
  email,
  npi: clearable(Npi),
  website: clearable(Website),
  specialties: chosenSpecialties,
  taxId: optionalLine(30),
  /** Appointments keep their instants: after a change they show another local time. */
  timezone: TimeZone,
  sessionTimeout: SessionTimeout,
  /** Every member needs two-factor sign-in. The user who switches it on must have set it up. */
  requireTwoFactor: z.boolean(),
})
export type PracticeFields = z.output<typeof PracticeFields>
export type PracticeField = keyof PracticeFields

/** The changed fields only. `revision` is the revision on which the change is based. */
export const PracticeChange = PracticeFields.partial().extend({ revision: z.number().int().min(0).optional() })

/** A field that another user changed since the revision that was sent; `changes` of the problem `changed-meanwhile`. */
export const PracticeFieldConflict = z.object({
  field: PracticeFields.keyof(),
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type PracticeFieldConflict = z.infer<typeof PracticeFieldConflict>

/** Idempotent for its owner: the same call again changes what differs and makes no second practice. */
export const setUpPractice = endpoint({
  method: 'POST',
  path: '/api/practices/setup',
  access: 'signed-in',
  body: PracticeSetup,
  reply: Practice,
  // Only the owner gets a reply, who may see everything.
  withhold: (practice: Practice): Practice => practice,
})

/**
 * Changes the settings, for the owner and administrators. 409 `changed-meanwhile` with `changes` when `revision` is given and
 * stale, 409 `own-two-factor-missing` when someone without two-factor sign-in requires it.
 */
export const changePractice = endpoint({
  method: 'PATCH',
  path: '/api/practices/:practiceId',
  access: { permission: 'settings' },
  params: z.object({ practiceId: PracticeId }),
  body: PracticeChange,
  reply: Practice,
  withhold: withholdMoney,
})

const LocalTime = z.object({
  /** YYYY-MM-DD. */
  date: z.string(),
  /** HH:mm. */
  time: z.string(),
})

/** The consequences of a change of the practice's time zone on screen. */
export const TimeZonePreview = z.object({
  /** The current local date and time, before and after the change. */
  now: z.object({ before: LocalTime, after: LocalTime }),
  /** The number of upcoming appointments that will show another local time. */
  appointments: z.number(),
  /** The number of these that will be on another date. */
  otherDate: z.number(),
  /** The first of these appointments, at most three. */
  examples: z.array(z.object({ id: AppointmentId, patient: PersonName, before: LocalTime, after: LocalTime })),
})
export type TimeZonePreview = z.infer<typeof TimeZonePreview>

/** Previews a change of the time zone, for the owner and administrators. It changes nothing. */
export const previewTimeZone = endpoint({
  method: 'GET',
  path: '/api/practices/:practiceId/time-zone-preview',
  access: { permission: 'settings' },
  params: z.object({ practiceId: PracticeId }),
  query: z.strictObject({ timezone: TimeZone }),
  reply: TimeZonePreview,
})
