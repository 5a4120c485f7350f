import { defineSettings } from '#modules/module.ts'

/** `isEnabled`: new practices of demo users get sample data. */
export const sampleSettings = defineSettings<{ isEnabled: boolean }>('samples')
