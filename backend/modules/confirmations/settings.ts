import type { Pace } from '#jobs/pace.ts'
import { defineSettings } from '#modules/module.ts'

/** The account whose calls about text messages are trusted, and the address that it calls, without a trailing slash. */
export type TwilioCalls = { authToken: string; address: string }

/**
 * `address`: the address that users open, without a trailing slash, to which links in messages lead. `hasQuietHours`: no message
 * leaves at night. `twilio` is null where text messages go to the outbox.
 */
export const confirmationSettings = defineSettings<{
  address: string
  hasQuietHours: boolean
  twilio: TwilioCalls | null
  /** Limits how fast messages leave. */
  pace: Pace
}>('confirmations')
