import { defineSettings } from '#modules/module.ts'

/** The clearinghouse that this installation asks. */
export type ClearinghouseSettings = {
  /** The address that takes questions, `{ "x12": "ISA*…" }`, and replies in the same form. */
  url: string
  key: string
}

/** `clearinghouse` is null where none is connected: people decide. */
export const insuranceSettings = defineSettings<{ clearinghouse: ClearinghouseSettings | null }>('insurance')
