import { ProblemError } from '#http/problems.ts'
import type { Caller } from '#http/session.ts'

/** Throws 403 `email-unconfirmed` for a caller whose address may be invented. `action` is what it withholds: "invite others". */
export function requireProvenEmail({ mustProveEmail }: Pick<Caller, 'mustProveEmail'>, action: string): void {
  if (!mustProveEmail) return
  const message = `Please confirm your own email first, with the link that we sent you. Then you can ${action}.`
  throw new ProblemError(403, 'email-unconfirmed', message)
}
