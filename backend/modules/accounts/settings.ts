import { defineSettings } from '#modules/module.ts'
import type { PasswordCost } from './passwords/password-store.ts'

/** `address`: the address that users open, without a trailing slash, to which links in messages lead. */
export const accountSettings = defineSettings<{ address: string; passwordCost: PasswordCost }>('accounts')
