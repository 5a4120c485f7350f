import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PracticeId, UserId } from './values/ids.ts'
import { PlanId, SubscriptionStatus } from './values/plans.ts'
import { Permission, Role } from './values/roles.ts'
import { line, isStorable } from './values/text.ts'

/** Minutes after which an idle session ends (spec page 2, section 5.3). */
export const idleMinutes = 60

/** Hours after which a session ends however active it is. */
export const maxSessionHours = 12

/** Request header of calls that no user caused, such as refetches after a live update: they do not keep a session alive. */
export const backgroundHeader = 'X-Background-Request'

export const EmailAddress = z
  .string({ error: 'Please enter a valid email address' })
  .trim()
  .max(254, 'Please enter a valid email address')
  .pipe(z.email({ error: 'Please enter a valid email address' }))

export const Password = z
  .string({ error: 'Password must be at least 8 characters' })
  .min(8, 'Password must be at least 8 characters')
  .max(200, 'Password must be at most 200 characters')
  .refine(isStorable, 'Password contains characters that cannot be typed')

const name = (what: string) => line(100).pipe(z.string().min(1, `Please enter your ${what}`))

export const Username = line(50).pipe(
  z
    .string()
    .min(3, 'Username must be at least 3 characters')
    .regex(/^[\p{L}\p{N}._-]+$/u, 'Use letters, digits, dots, dashes or underscores'),
)

/** The current user (spec page 1, section 3). */
export const CurrentUser = z.object({
  id: UserId,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: Role,
  practiceId: PracticeId.nullable(),
  /** True for the owner of the practice, who has every permission. */
  isOwner: z.boolean(),
  /** The user's permissions, so that the web hides what the server would refuse. */
  permissions: z.array(Permission),
  subscriptionStatus: SubscriptionStatus,
  subscriptionTier: PlanId,
  /** True when the practice had a subscription that has ended. */
  hasLapsed: z.boolean(),
  /** The end of the grace period after a failed payment, an ISO instant; null otherwise. */
  pastDueUntil: z.iso.datetime().nullable(),
  /** True while a payment is past due, also after access has ended: paying it restores the plan. */
  hasOpenInvoice: z.boolean(),
  /** True while sample records of a subscriber are still being removed. No figure and no list contains them. */
  isRemovingSamples: z.boolean(),
  newsletterOptIn: z.boolean(),
  isDemoUser: z.boolean(),
  isDemo: z.boolean(),
  isActiveSubscriber: z.boolean(),
  isAuthenticated: z.literal(true),
  createdAt: z.iso.datetime(),
  /** The last change of the account, or of its place in a practice. */
  updatedAt: z.iso.datetime(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

export const Registration = z.strictObject({
  email: EmailAddress,
  username: Username,
  password: Password,
  firstName: name('first name'),
  lastName: name('last name'),
  role: z.literal('staff').default('staff'),
  newsletterOptIn: z.boolean().default(false),
})
export type Registration = z.output<typeof Registration>

/** The sign-up form: the request body, and the password repeated. */
export const RegistrationForm = Registration.extend({ confirmPassword: z.string() }).refine(
  (form) => form.password === form.confirmPassword,
  { path: ['confirmPassword'], error: "Passwords don't match" },
)

export const Credentials = z.strictObject({ email: EmailAddress, password: Password })
export type Credentials = z.output<typeof Credentials>

export const register = endpoint({
  method: 'POST',
  path: '/api/register',
  access: 'public',
  body: Registration,
  reply: CurrentUser,
  status: 201,
})

/** 401 `invalid-credentials`, the same for an unknown e-mail and a wrong password; 429 `locked` after five failures. */
export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  access: 'public',
  body: Credentials,
  reply: CurrentUser,
})

/** Ends the caller's session; idempotent. */
export const logout = endpoint({ method: 'POST', path: '/api/logout', access: 'public', reply: z.null() })

export const currentUser = endpoint({ method: 'GET', path: '/api/user', access: 'signed-in', reply: CurrentUser })
