import { UserId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

/** The proof that a link gives. */
type ProofLink = { userId: UserId; proofId: string }

const purpose = 'email proof'

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

/** Returns the address of the page that confirms the address of a registration. It contains ids only, and is stored nowhere. */
export const createProofLink = ({ keyedHash, address }: Dependencies, { userId, proofId }: ProofLink): string =>
  `${address}/confirm-email/${createSignedTokens(keyedHash, purpose).create(userId, proofId)}`

/** Returns what a token identifies; null for one that was not signed here. */
export function parseProofToken({ keyedHash }: Pick<Dependencies, 'keyedHash'>, token: string): ProofLink | null {
  const [userId, proofId] = createSignedTokens(keyedHash, purpose).parse(token) ?? []
  return userId === undefined || proofId === undefined ? null : { userId: UserId.parse(userId), proofId }
}
