import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PracticeId, UserId } from './values/ids.ts'
import { PlanId, SubscriptionStatus } from './values/plans.ts'
import { Permission, Role } from './values/roles.ts'
import { SessionTimeout } from './values/session-timeout.ts'
import { line, isStorable } from './values/text.ts'

/** Hours after which a session ends however active it is. */
export const maxSessionHours = 12

/** Request header of calls that no user caused, such as refetches after a live update: they do not keep a session alive. */
export const backgroundHeader = 'X-Background-Request'

export const EmailAddress = z
  .string({ error: 'Please enter a valid email address' })
  .trim()
  .max(254, 'Please enter a valid email address')
  .pipe(z.email({ error: 'Please enter a valid email address' }))

/** Maximum length of a password in UTF-16 units. */
const maxPasswordLength = 256

/**
 * Returns a password in the form in which it is counted, checked and compared: keyboards send one letter as one character or as
 * two, and several kinds of spaces (NIST SP 800-63B, 3.1.1.2).
 */
export const normalizePassword = (password: string): string => password.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ')

/** A password, normalized. The server also refuses new ones that are common or made of the user's own names. */
export const Password = z
  .string({ error: 'Password must be at least 8 characters' })
  .max(4 * maxPasswordLength, `Password must be at most ${maxPasswordLength} characters`)
  .transform(normalizePassword)
  .pipe(
    z
      .string()
      .min(8, 'Password must be at least 8 characters')
      .max(maxPasswordLength, `Password must be at most ${maxPasswordLength} characters`)
      .refine(isStorable, 'Password contains characters that cannot be typed'),
  )

/** The password of an account that is asked again. It may be shorter than new ones: earlier ones were counted before they were normalized. */
export const CurrentPassword = z
  .string({ error: 'Please enter your password' })
  .min(1, 'Please enter your password')
  .max(4 * maxPasswordLength, 'This is not your password')
  .transform(normalizePassword)

/** A part of a person's name, as the person enters it. */
export const nameField = (what: string) => line(100).pipe(z.string().min(1, `Please enter your ${what}`))

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
  /** Minutes after which the user's sessions end when they are not used; a choice of the practice. */
  sessionTimeout: SessionTimeout,
  /** True while the practice requires two-factor sign-in and the user has not set it up: everything else is refused. */
  mustSetUpTwoFactor: z.boolean(),
  /** True when the user can sign in with a passkey. */
  hasPasskey: z.boolean(),
  /** True until the user confirms the address of the registration, where a mail server is configured: quotas are small until then. */
  mustProveEmail: z.boolean(),
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
  firstName: nameField('first name'),
  lastName: nameField('last name'),
  role: z.literal('staff').default('staff'),
  newsletterOptIn: z.boolean().default(false),
})
export type Registration = z.output<typeof Registration>

/** Returns whether a password was typed twice in the same way; `passwordsDiffer` is the error when not. */
export const isTypedTwice = (form: { password: string; confirmPassword: string }): boolean =>
  form.password === form.confirmPassword
export const passwordsDiffer = { path: ['confirmPassword'], error: "Passwords don't match" }

/** The sign-up form: the request body, and the password repeated. */
export const RegistrationForm = Registration.extend({ confirmPassword: z.string() }).refine(
  isTypedTwice,
  passwordsDiffer,
)

/** A code from an authenticator app or a recovery code; a space or dash between its halves is ignored, letters may be small. */
export const SecondFactorCode = z
  .string({ error: 'Please enter the code' })
  .trim()
  .regex(/^(\d{3} ?\d{3}|[A-Za-z2-7]{5}[ -]?[A-Za-z2-7]{5})$/, 'Enter the six digits of the app, or a recovery code')
  .transform((code) => code.replace(/[ -]/, '').toUpperCase())

export const Credentials = z.strictObject({
  email: EmailAddress,
  password: CurrentPassword,
  /** Needed by users with two-factor authentication only. */
  code: SecondFactorCode.optional(),
})
export type Credentials = z.output<typeof Credentials>

/** A form that may ask for a code: an empty field was not filled in. */
export const OptionalCode = z.union([z.literal(''), SecondFactorCode]).optional()

export const register = endpoint({
  method: 'POST',
  path: '/api/register',
  access: 'public',
  body: Registration,
  reply: CurrentUser,
  status: 201,
})

/**
 * 401 `invalid-credentials`, the same for an unknown e-mail and a wrong password; 401 `two-factor-required` when the password is
 * right and a code is missing, `invalid-code` when it is wrong; 429 `locked` after five failures. With the right password and
 * code, 401 `passkey-required` when the practice requires a second factor and the user has passkeys only; 403 `access-suspended` or `access-ended` for a member whose access to the practice was suspended or is over.
 */
export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  access: 'public',
  body: Credentials,
  reply: CurrentUser,
})

/** Ends the session of the caller; idempotent. `reason` is `idle` when the browser ends it because it was not used. */
export const logout = endpoint({
  method: 'POST',
  path: '/api/logout',
  access: 'public',
  query: z.object({ reason: z.enum(['idle']).optional() }),
  reply: z.null(),
})

export const currentUser = endpoint({
  method: 'GET',
  path: '/api/user',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  reply: CurrentUser,
})
