import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

/** Seconds for which an authenticator app shows one code. */
const periodSeconds = 30

const createTotp = (secret: Uint8Array, label: string) =>
  new TOTP({
    issuer: 'Everchart',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: secret.slice().buffer }),
  })

/** Returns a new secret of 160 bits, the length of SHA-1 (RFC 4226, section 4). */
export const createSecret = (): Uint8Array => new Secret({ size: 20 }).bytes

/** Returns what an authenticator app needs to learn a secret; the account is shown there by its e-mail address. */
export function describeSecret(secret: Uint8Array, email: string): { secret: string; otpauthUrl: string; qr: string } {
  const totp = createTotp(secret, email)
  const otpauthUrl = totp.toString()
  return { secret: totp.secret.base32, otpauthUrl, qr: renderSVG(otpauthUrl, { border: 4 }) }
}

/**
 * Returns the time step of a code, which may be one step early or late, because clocks differ (RFC 6238, section 5.2). Null for
 * a wrong code.
 */
export function findStep(secret: Uint8Array, code: string, now: Date): number | null {
  const delta = createTotp(secret, '').validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta
}
