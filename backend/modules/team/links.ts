import { invitationPage } from '#contracts/team.ts'
import { InvitationId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

/** The invitation that a link belongs to, and the number of the link. */
type InvitationLink = { invitationId: InvitationId; linkNumber: number }

const purpose = 'team invitation'

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

/** Returns the address of the page on which an invitation is accepted. It names no person, and nothing of it is stored. */
export function createInvitationUrl(
  { keyedHash, address }: Dependencies,
  { invitationId, linkNumber }: InvitationLink,
): string {
  const token = createSignedTokens(keyedHash, purpose).create(invitationId, String(linkNumber))
  return address + invitationPage.replace(':token', token)
}

/** Returns what a token identifies; null for one that was not signed here. */
export function parseInvitationToken(
  { keyedHash }: Pick<Dependencies, 'keyedHash'>,
  token: string,
): InvitationLink | null {
  const fields = createSignedTokens(keyedHash, purpose).parse(token)
  if (!fields) return null
  const [invitationId, linkNumber] = fields
  return { invitationId: InvitationId.parse(invitationId), linkNumber: Number(linkNumber) }
}
