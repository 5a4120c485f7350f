import { defineSettings } from '#modules/module.ts'

/** `address`: the address that users open, without a trailing slash, to which the links in invitations lead. */
export const teamSettings = defineSettings<{ address: string }>('team')
