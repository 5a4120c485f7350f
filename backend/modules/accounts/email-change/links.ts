import { UserId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

/** The request that a link confirms. */
type EmailLink = { userId: UserId; requestId: string }

const purpose = 'email change'

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

/** Returns the address of the page on which a new e-mail address is confirmed. It contains ids only, and is stored nowhere. */
export const createEmailLink = ({ keyedHash, address }: Dependencies, { userId, requestId }: EmailLink): string =>
  `${address}/email/${createSignedTokens(keyedHash, purpose).create(userId, requestId)}`

/** Returns what a token identifies; null for one that was not signed here. */
export function parseEmailToken({ keyedHash }: Pick<Dependencies, 'keyedHash'>, token: string): EmailLink | null {
  const [userId, requestId] = createSignedTokens(keyedHash, purpose).parse(token) ?? []
  return userId === undefined || requestId === undefined ? null : { userId: UserId.parse(userId), requestId }
}
