import { UserId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

type Reset = { userId: UserId; resetId: string }

/** The links with which users choose a new password. */
export type ResetLinks = {
  createUrl(reset: Reset): string
  /** Returns what a token stands for, used or not; null for one that was not signed here. */
  parseToken(token: string): Reset | null
}

/**
 * Creates the links of an installation. A token is derived from the installation's key whenever it is needed and stored
 * nowhere: a copy of the database opens no account.
 */
export function createResetLinks({
  keyedHash,
  address,
}: {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}): ResetLinks {
  const tokens = createSignedTokens(keyedHash, 'password reset')
  return {
    createUrl: ({ userId, resetId }) => `${address}/reset/${tokens.create(userId, resetId)}`,
    parseToken(token) {
      const [userId, resetId] = tokens.parse(token) ?? []
      return userId === undefined || resetId === undefined ? null : { userId: UserId.parse(userId), resetId }
    },
  }
}
