import { defineSettings } from '#modules/module.ts'

/** `defaultTimeZone` (IANA name): the time zone of a practice that is set up without one. */
export const practiceSettings = defineSettings<{ defaultTimeZone: string }>('practices')
