import { confirmationPages } from '#contracts/confirmations.ts'
import { SlotOfferId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

/** Creates and reads the links of offers. Their tokens are signed and name no patient. */
export function createOfferLinks({ keyedHash, address }: Dependencies) {
  const tokens = createSignedTokens(keyedHash, 'slot offer')
  return {
    createUrl: (slotOfferId: SlotOfferId) =>
      address + confirmationPages.offer.replace(':token', tokens.create(slotOfferId)),
    /** Returns the offer of a link; null for a token that was not signed here. */
    parseToken(token: string): SlotOfferId | null {
      const fields = tokens.parse(token)
      return fields && SlotOfferId.parse(fields[0])
    },
  }
}
