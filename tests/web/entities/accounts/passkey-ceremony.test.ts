import { WebAuthnError } from '@simplewebauthn/browser'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describePasskeyError, supportsPasskeys } from '#web/entities/accounts/passkey-ceremony.ts'
import { ApiProblem } from '#web/api/call.ts'

type Code = ConstructorParameters<typeof WebAuthnError>[0]['code']
const createError = (code: Code, name = 'Error') => {
  const cause = new Error('of the browser')
  cause.name = name
  return new WebAuthnError({ message: 'of the library', code, cause, name })
}

describe('why a passkey could not be used', () => {
  beforeEach(() => void vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {}))
  afterEach(() => void vi.unstubAllGlobals())

  it('is said for each reason that a browser reveals', () => {
    const refusal = createError('ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', 'NotAllowedError')
    expect(describePasskeyError(refusal, 'use')).toMatch(/^No passkey was used: you cancelled/)
    expect(describePasskeyError(refusal, 'create')).toMatch(/^No passkey was created: you cancelled/)
    expect(describePasskeyError(createError('ERROR_CEREMONY_ABORTED'), 'use')).toMatch(/you cancelled/)
    for (const code of ['ERROR_INVALID_DOMAIN', 'ERROR_INVALID_RP_ID'] as const)
      expect(describePasskeyError(createError(code), 'use')).toMatch(/do not work at this address/)
    const previous = createError('ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    expect(describePasskeyError(previous, 'create')).toMatch(/has a passkey for Everchart already/)
    const noPin = createError('ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT')
    expect(describePasskeyError(noPin, 'create')).toMatch(/cannot hold a passkey/)
    expect(describePasskeyError(createError('ERROR_AUTHENTICATOR_GENERAL_ERROR'), 'use')).toMatch(/try again/)
  })

  it('is what the server says where it refused', () => {
    const problem = { type: 'about:blank', title: '', status: 401, code: 'unknown-passkey', errors: [] }
    const refusal = new ApiProblem({ ...problem, message: 'This passkey was removed from Everchart.' })
    expect(describePasskeyError(refusal, 'use')).toBe('This passkey was removed from Everchart.')
  })

  it('is the browser where it supports none', () => {
    vi.unstubAllGlobals()
    expect(supportsPasskeys()).toBe(false)
    expect(describePasskeyError(new Error('not supported'), 'use')).toBe('This browser does not support passkeys here.')
  })
})
