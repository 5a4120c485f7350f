import type { Module } from '#modules/module.ts'
import { ErasureEvent } from './events.ts'

/** The irrevocable erasure of patients, requested with `npm run keys -- destroy`. */
export const erasures: Module = { name: 'erasures', events: [ErasureEvent] }
