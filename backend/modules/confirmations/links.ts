import { confirmationPages } from '#contracts/confirmations.ts'
import { ConfirmationId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

/** The links in messages to patients. Their tokens are signed and name no patient. */
export type ConfirmationLinks = {
  createUrl(confirmationId: ConfirmationId): string
  /** Returns the confirmation of a link; null for a token that was not signed here. */
  parseToken(token: string): ConfirmationId | null
}

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

export function createConfirmationLinks({ keyedHash, address }: Dependencies): ConfirmationLinks {
  const tokens = createSignedTokens(keyedHash, 'appointment confirmation')
  return {
    createUrl: (confirmationId) => address + confirmationPages.answer.replace(':token', tokens.create(confirmationId)),
    parseToken(token) {
      const fields = tokens.parse(token)
      return fields && ConfirmationId.parse(fields[0])
    },
  }
}
