import { addMinutes } from 'date-fns/addMinutes'
import { passkeyMinutes } from '#contracts/passkeys.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Services } from '#modules/module.ts'
import type { PasskeyStore } from './passkey-store.ts'

type Parts = Pick<Services, 'clock' | 'newId' | 'keyedHash'> & { passkeys: PasskeyStore }

const minuteMs = 60_000
/** The cookie that names the browser of a sign-in, so that no other can complete it. */
const browserCookie = 'everchart.passkey'

/** Stores a challenge for a session or a browser, and returns its id. It can be used once, for five minutes. */
export async function issueChallenge(
  { clock, newId, keyedHash, passkeys }: Parts,
  challenge: string,
  holder: string,
): Promise<string> {
  const challengeId = newId()
  const expiresAt = addMinutes(clock(), passkeyMinutes)
  await passkeys.saveChallenge({ challengeId, challenge, holder: keyedHash('passkey holder', holder), expiresAt })
  return challengeId
}

/** Uses up a challenge and returns it; null when it was used before, is another holder's or has expired. */
export const takeChallenge = (
  { clock, keyedHash, passkeys }: Parts,
  challengeId: string,
  holder: string,
): ReturnType<PasskeyStore['takeChallenge']> =>
  passkeys.takeChallenge(challengeId, keyedHash('passkey holder', holder), clock())

/** Returns the holder of challenges of this browser, and keeps it there while they can be used. */
export function rememberBrowser({ newId }: Pick<Services, 'newId'>, exchange: RequestContext): string {
  const id = exchange.getCookie(browserCookie) ?? newId()
  exchange.setCookie(browserCookie, id, passkeyMinutes * minuteMs)
  return `browser ${id}`
}

/** Returns the holder of challenges of this browser; null when it has none. */
export function findBrowser(exchange: RequestContext): string | null {
  const id = exchange.getCookie(browserCookie)
  return id === undefined ? null : `browser ${id}`
}

/** Returns the holder of challenges of a session. */
export const toSessionHolder = (sessionId: string): string => `session ${sessionId}`
