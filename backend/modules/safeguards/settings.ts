import type { Safeguards } from '#contracts/safeguards.ts'
import { defineSettings } from '#modules/module.ts'

type SafeguardSettings = {
  /** The address that users open, without a trailing slash. */
  address: string
  eventStore: Safeguards['secureTransmission']['eventStore']
}

/** The address of this installation, and the protection of its connection to the event store. */
export const safeguardSettings = defineSettings<SafeguardSettings>('safeguards')
