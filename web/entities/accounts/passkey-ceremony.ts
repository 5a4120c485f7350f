import {
  type PublicKeyCredentialCreationOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Reply, RequestInput } from '#contracts/endpoint.ts'
import { type addPasskey, type beginPasskey, beginPasskeyLogin, loginWithPasskey } from '#contracts/passkeys.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'

/** Returns whether this browser can use passkeys here: over https, or on the computer itself. */
export const supportsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** Asks the device to create a passkey. Throws `WebAuthnError`. */
export const createPasskey = async (
  optionsJSON: Reply<typeof beginPasskey>['options'],
): Promise<RequestInput<typeof addPasskey>['body']['credential']> =>
  await startRegistration({ optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON })

/**
 * Signs in with a passkey of this device; with `email`, only to that account. `send` sends the request that begins the session.
 * Throws `WebAuthnError` and `ApiProblem`.
 */
export async function signInWithPasskey(
  email?: string,
  send = (run: () => Promise<CurrentUser>) => run(),
): Promise<CurrentUser> {
  const { challengeId, options } = await call(beginPasskeyLogin, {})
  const credential = await startAuthentication({ optionsJSON: options })
  const body = { challengeId, credential, ...(email === undefined ? {} : { email }) }
  return await send(() => call(loginWithPasskey, { body }))
}

/** Messages for what browsers report alike, so that no site learns which passkeys a device has. */
const refused = {
  create: 'No passkey was created: you cancelled, or this device cannot hold one.',
  use: 'No passkey was used: you cancelled, or this device has none for Everchart.',
}

/** Returns why a passkey could not be created or used, in plain words. */
export function describePasskeyError(error: unknown, action: keyof typeof refused): string {
  if (error instanceof ApiProblem) return error.detail
  if (!supportsPasskeys()) return 'This browser does not support passkeys here.'
  if (!(error instanceof WebAuthnError)) return errorMessage(error)
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey for Everchart already.'
  if (error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID')
    return 'Passkeys do not work at this address. Open Everchart at its usual address.'
  if (
    error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT' ||
    error.code === 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT'
  )
    return 'This device cannot hold a passkey with a PIN, fingerprint or face. Please try another one.'
  if (error.name === 'NotAllowedError' || error.code === 'ERROR_CEREMONY_ABORTED') return refused[action]
  return 'Your device could not use a passkey. Please try again.'
}
