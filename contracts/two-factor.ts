import { z } from 'zod'
import { CurrentPassword, SecondFactorCode } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** Recovery codes that a user receives at once; each replaces the authenticator app for one sign-in. */
export const recoveryCodeCount = 10

/** A code of six digits from an authenticator app. */
const AppCode = z
  .string({ error: 'Please enter the code' })
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'Enter the six digits that the app shows')
  .transform((code) => code.replace(' ', ''))

const WithPassword = z.strictObject({ password: CurrentPassword })

/** The password and a code: a stolen session or password alone cannot remove the second factor. */
const PasswordAndCode = z.strictObject({ password: CurrentPassword, code: SecondFactorCode })

/** Codes that are shown once. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** Returns whether the user's sign-in asks for a code, since when, and how many recovery codes are left. */
export const twoFactorStatus = endpoint({
  method: 'GET',
  path: '/api/account/two-factor',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  reply: z.object({
    isEnabled: z.boolean(),
    /** An ISO instant; null while it is off. */
    enabledAt: z.iso.datetime().nullable(),
    recoveryCodesLeft: z.int(),
  }),
})

/** Begins setting up an authenticator app; a new set-up replaces an unfinished one. 409 `two-factor-enabled` when it is on. */
export const setUpTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/two-factor/setup',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  isSecret: true,
  body: WithPassword,
  reply: z.object({
    /** The key in base32, for apps that cannot scan. */
    secret: z.string(),
    otpauthUrl: z.string(),
    /** The QR code of `otpauthUrl` as an SVG document. */
    qr: z.string(),
  }),
})

/** Turns two-factor sign-in on, with a code that proves that the app works. 422 at `code` when it does not match. */
export const enableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/two-factor/enable',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  isSecret: true,
  body: z.strictObject({ code: AppCode }),
  reply: RecoveryCodes,
})

/** Replaces all recovery codes. 422 at `password` or `code` when it is wrong, 409 `two-factor-disabled` when it is off. */
export const replaceRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/account/two-factor/recovery-codes',
  access: 'signed-in',
  isSecret: true,
  body: PasswordAndCode,
  reply: RecoveryCodes,
})

/**
 * Turns two-factor sign-in off; does nothing when it is off. 422 at `password` or `code` when it is wrong, 409
 * `required-by-practice` while the practice requires it.
 */
export const disableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/two-factor/disable',
  access: 'signed-in',
  isSecret: true,
  body: PasswordAndCode,
  reply: z.null(),
})
