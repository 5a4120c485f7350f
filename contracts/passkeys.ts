import { z } from 'zod'
import { CurrentPassword, CurrentUser, EmailAddress, SecondFactorCode } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { line } from './values/text.ts'

/** Minutes for which a device can be asked to create or use a passkey. */
export const passkeyMinutes = 5

/** Passkeys that one user can have. */
export const maxPasskeys = 20

/** Bytes as browsers write them in JSON. */
const bytes = (maxLength: number) => z.base64url().min(1).max(maxLength)

/** The ways in which a browser reaches a passkey ("internal", "usb", "hybrid"); newer browsers may name further ones. */
const Transports = z.array(z.string().regex(/^[a-z-]{1,32}$/)).max(16)

const CredentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: Transports.optional(),
})

/** The input of a browser that creates a passkey (Web Authentication, `PublicKeyCredentialCreationOptionsJSON`). */
const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  /** Milliseconds. */
  timeout: z.int(),
  excludeCredentials: z.array(CredentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** The input of a browser that finds and uses a passkey of this site (`PublicKeyCredentialRequestOptionsJSON`). */
const RequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.int(),
  userVerification: z.literal('required'),
})

const credential = {
  id: bytes(1_500),
  rawId: bytes(1_500),
  type: z.literal('public-key'),
}

/** A new passkey as a browser reports it; what else it reports is ignored. */
export const NewCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(40_000),
    transports: Transports.optional(),
  }),
})
export type NewCredential = z.output<typeof NewCredential>

/** The signature of a passkey as a browser reports it; what else it reports is ignored. */
export const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    authenticatorData: bytes(8_000),
    signature: bytes(16_000),
    userHandle: bytes(200).nullish(),
  }),
})
export type Assertion = z.output<typeof Assertion>

/** The name that a user gives a passkey. */
export const PasskeyName = line(60).pipe(z.string().min(1, 'Please enter a name'))

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  addedAt: z.iso.datetime(),
  /** The last sign-in with it; null before the first one. */
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** Lists the passkeys of the user, in the order in which they were added. */
export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/account/passkeys',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  reply: z.object({ items: z.array(Passkey) }),
})

/**
 * Begins adding a passkey, with the password; where two-factor sign-in is on, with a code as well, because a passkey replaces
 * both. 422 at `password` or `code` when it is wrong, 409 `too-many-passkeys`.
 */
export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/account/passkeys/options',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  isSecret: true,
  body: z.strictObject({ password: CurrentPassword, code: SecondFactorCode.optional() }),
  reply: z.object({ challengeId: z.uuid(), options: CreationOptions }),
})

/** Adds the passkey that the device has created. 409 `passkey-expired` after five minutes or in another session, 422 `passkey-refused`. */
export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/account/passkeys',
  access: 'signed-in',
  isTwoFactorSetUp: true,
  body: z.strictObject({ challengeId: z.uuid(), name: PasskeyName, credential: NewCredential }),
  reply: Passkey,
  status: 201,
})

/**
 * Removes a passkey, with the password. 422 at `password` when that is wrong, 409 `required-by-practice` for the only second
 * factor of a user whose practice requires one, 404 when there is none.
 */
export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/account/passkeys/:passkeyId/remove',
  access: 'signed-in',
  isSecret: true,
  params: z.object({ passkeyId: z.uuid() }),
  body: z.strictObject({ password: CurrentPassword }),
  reply: z.null(),
})

/** Begins a sign-in with a passkey. The reply names no passkey: the device shows those that it has for this site. */
export const beginPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/login/passkey/options',
  access: 'public',
  reply: z.object({ challengeId: z.uuid(), options: RequestOptions }),
})

/**
 * Signs in with a passkey, which counts as password and code. `email` refuses those of other accounts: 401 `other-account`. 401
 * `passkey-expired` after five minutes, in another browser or the second time; `unknown-passkey` when it was removed;
 * `passkey-refused` when it does not match; 403 `access-suspended` or `access-ended` as for `login`.
 */
export const loginWithPasskey = endpoint({
  method: 'POST',
  path: '/api/login/passkey',
  access: 'public',
  body: z.strictObject({ challengeId: z.uuid(), email: EmailAddress.optional(), credential: Assertion }),
  reply: CurrentUser,
})
