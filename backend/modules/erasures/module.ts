import type { Module } from '../module.ts'
import { ErasureEvent } from './events.ts'

/** Patients of whom nothing may be known any more. Carried out by `npm run keys -- destroy`. */
export const erasures: Module = { name: 'erasures', events: [ErasureEvent] }
