import type { Assertion, beginPasskey, beginPasskeyLogin, NewCredential } from '#contracts/passkeys.ts'
import { passkeyMinutes } from '#contracts/passkeys.ts'
import type { Reply } from '#contracts/endpoint.ts'
import { ProblemError } from '#http/problems.ts'

/** Loaded when the first passkey is added or used: it brings 20 packages, and few requests need it. */
const loadLibrary = () => import('@simplewebauthn/server')

/** ES256 and RS256, which all devices support between them, and EdDSA. */
const algorithms = [-7, -257, -8]
const timeout = passkeyMinutes * 60_000

type CreationOptions = Reply<typeof beginPasskey>['options']
type RequestOptions = Reply<typeof beginPasskeyLogin>['options']

/** Returns the host name, to which browsers bind a passkey, whatever the port. Throws 400 for a Host header that is none. */
function getRelyingPartyId(origin: string): string {
  if (URL.canParse(origin)) return new URL(origin).hostname
  throw new ProblemError(
    400,
    'invalid-host',
    'Passkeys do not work at this address. Open Everchart at its usual address.',
  )
}

type Owner = { userId: string; email: string; name: string }

/**
 * Returns what a browser needs to create a passkey at an origin. `existing` are those of the user: a device that has one of them
 * creates no second one.
 */
export async function createCreationOptions(
  origin: string,
  { userId, email, name }: Owner,
  existing: readonly { credentialId: string; transports: string[] }[],
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: 'Everchart',
    rpID: getRelyingPartyId(origin),
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(userId),
    timeout,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return options as CreationOptions
}

/** Returns what a browser needs to use any passkey that it has for an origin. */
export async function createRequestOptions(origin: string): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await loadLibrary()
  const rpID = getRelyingPartyId(origin)
  return (await generateAuthenticationOptions({ rpID, timeout, userVerification: 'required' })) as RequestOptions
}

type Expected = { origin: string; challenge: string }

/** Returns the key of a new passkey whose user was verified; null when it does not fit the challenge or the origin. */
export async function readNewCredential(
  credential: NewCredential,
  { origin, challenge }: Expected,
): Promise<{ credentialId: string; publicKey: Uint8Array<ArrayBuffer>; counter: number; transports: string[] } | null> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const { transports = [], ...response } = credential.response
  const result = await verifyRegistrationResponse({
    response: { ...credential, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: getRelyingPartyId(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
    // The library throws for everything that is not as it should be.
  }).catch(() => null)
  if (!result?.verified) return null
  const { id: credentialId, publicKey, counter } = result.registrationInfo.credential
  return { credentialId, publicKey, counter, transports }
}

/** Returns the counter of a passkey that has signed a challenge after verifying its user; null when the signature does not match. */
export async function verifyAssertion(
  credential: Assertion,
  { credentialId, publicKey }: { credentialId: string; publicKey: Uint8Array<ArrayBuffer> },
  { origin, challenge }: Expected,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { userHandle: _, ...response } = credential.response
  const result = await verifyAuthenticationResponse({
    response: { ...credential, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: getRelyingPartyId(origin),
    requireUserVerification: true,
    // The counter is compared by the database, for all instances at once, and its refusal is recorded.
    credential: { id: credentialId, publicKey, counter: 0 },
  }).catch(() => null)
  return result?.verified ? result.authenticationInfo.newCounter : null
}

/** Returns the user whose passkey it is, as the device knows it; null when the device does not say. */
export const readUserHandle = ({ response: { userHandle } }: Assertion): string | null =>
  userHandle ? Buffer.from(userHandle, 'base64url').toString() : null
