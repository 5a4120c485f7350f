import { defineSettings } from '#modules/module.ts'

/**
 * `address`: the address that users open, without a trailing slash, to which links in messages lead. `hasQuietHours`: no message
 * leaves at night.
 */
export const confirmationSettings = defineSettings<{ address: string; hasQuietHours: boolean }>('confirmations')
