import { Secret, TOTP } from 'otpauth'
import type { Client } from './client.ts'
import { password } from './practice.ts'

/** Returns the code that an authenticator app shows for a secret at an instant. */
export const showCode = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })

/** Turns on two-factor sign-in for the user of a client, and returns the secret. */
export async function turnOnTwoFactor(client: Client, clock: () => Date): Promise<string> {
  const { body } = await client.post('/api/account/two-factor/setup', { password })
  const enabled = await client.post('/api/account/two-factor/enable', { code: showCode(body.secret, clock()) })
  if (enabled.status !== 200) throw new Error(`enable: ${enabled.status} ${JSON.stringify(enabled.body)}`)
  return body.secret
}
