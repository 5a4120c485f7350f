import { z } from 'zod'
import { CurrentPassword, EmailAddress, Password, isTypedTwice, passwordsDiffer } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** Minutes for which a link to choose a new password works. */
export const resetMinutes = 30

/** The way of a message: mailed, or stored in the outbox of an installation without a mail server. */
export const Delivery = z.enum(['mail', 'outbox'])

/** Requests a link to choose a new password. The reply and its time are the same for unknown addresses. */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/password/forgot',
  access: 'public',
  body: z.strictObject({ email: EmailAddress }),
  reply: z.object({ delivery: Delivery }),
})

const NewPasswordByLink = z.strictObject({ token: z.string().max(200), password: Password })
/** The form behind the link in the message. */
export const ResetForm = z
  .strictObject({ password: Password, confirmPassword: z.string() })
  .refine(isTypedTwice, passwordsDiffer)

/**
 * Chooses a new password with a link, once, and ends all sessions. 410 `link-expired` when the link was used or is too old, 404
 * when it was not sent from here.
 */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/password/reset',
  access: 'public',
  body: NewPasswordByLink,
  reply: z.null(),
})

const PasswordChange = z.strictObject({ currentPassword: CurrentPassword, password: Password })
/** The form with which a signed-in user changes the password. */
export const PasswordChangeForm = PasswordChange.extend({ confirmPassword: z.string() }).refine(
  isTypedTwice,
  passwordsDiffer,
)

/** Changes the password and ends all other sessions. 422 at `currentPassword` when that is wrong; 429 after five failures. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/account/password',
  access: 'signed-in',
  isSecret: true,
  body: PasswordChange,
  reply: z.null(),
})

/** Days for which a link that confirms the e-mail address of a registration works. */
export const emailProofDays = 7

/**
 * Confirms the e-mail address of a registration with the link that was mailed to it; no session is needed, because the link is
 * often opened on another device. 404 for an unknown link, 410 `link-expired` for one that was replaced or is too old.
 */
export const proveEmail = endpoint({
  method: 'POST',
  path: '/api/email/confirm',
  access: 'public',
  body: z.strictObject({ token: z.string().max(200) }),
  reply: z.object({ email: z.string() }),
})

/**
 * Mails another link that confirms the address of the registration; earlier ones no longer work. 409 `email-proved` when it is
 * confirmed already, or when this is not asked.
 */
export const requestEmailProof = endpoint({
  method: 'POST',
  path: '/api/account/email/proof',
  access: 'signed-in',
  reply: z.null(),
})

/** Hours for which a link that confirms a new e-mail address works. */
export const emailChangeHours = 24

/** Returns the user's address, and the one that was requested and not confirmed yet. */
export const emailStatus = endpoint({
  method: 'GET',
  path: '/api/account/email',
  access: 'signed-in',
  reply: z.object({
    email: z.string(),
    /** The request whose link still works; null without one. `expiresAt` is an ISO instant. */
    pending: z.object({ email: z.string(), expiresAt: z.iso.datetime() }).nullable(),
  }),
})

/**
 * Requests a change of the user's address, with the password. A link is mailed to the new address and replaces earlier ones; the
 * former address stays valid until it is confirmed, and gets a notice. The reply does not depend on whether the new address has
 * an account. 422 at `password` when that is wrong, 409 `same-email` for the user's own address, 429 after five failures.
 */
export const requestEmailChange = endpoint({
  method: 'POST',
  path: '/api/account/email',
  access: 'signed-in',
  isSecret: true,
  body: z.strictObject({ email: EmailAddress, password: CurrentPassword }),
  reply: z.object({ delivery: Delivery }),
})

/**
 * Confirms a new address with its link, once. Only the user who requested it can, so that a mistyped address does not give the
 * account away. 404 for an unknown link, 403 `other-account` for the link of another account, 410 `link-expired` for one that
 * no longer works, 409 `email-taken` when another account has received the address in the meantime.
 */
export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/api/account/email/confirm',
  access: 'signed-in',
  isSecret: true,
  body: z.strictObject({ token: z.string().max(200) }),
  reply: z.null(),
})

/** A place where the user is signed in. */
export const AccountSession = z.object({
  id: z.uuid(),
  /** The browser and the system as they name themselves ("Chrome on Windows"); empty when they do not. */
  device: z.string(),
  /** The first part of the network address ("203.0.113.*"); empty when it is unknown. */
  network: z.string(),
  startedAt: z.iso.datetime(),
  /** The last use, to the minute. */
  lastSeenAt: z.iso.datetime(),
  /** True for the session of this request. */
  isCurrent: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

/** Lists where the user is signed in: this session first, then by last use. At most 100. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  access: 'signed-in',
  reply: z.object({ items: z.array(AccountSession) }),
})

/** Ends one session of the user, and its screens at once. 404 for a session that has ended or is another user's. */
export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:sessionId',
  access: 'signed-in',
  params: z.object({ sessionId: z.uuid() }),
  reply: z.null(),
})

/** Ends all sessions of the user except that of this request. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions',
  access: 'signed-in',
  reply: z.null(),
})
