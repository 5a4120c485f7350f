import { defineSettings } from '#modules/module.ts'

/** `address`: the address that users open, without a trailing slash, to which links to forms lead. */
export const formSettings = defineSettings<{ address: string }>('forms')
