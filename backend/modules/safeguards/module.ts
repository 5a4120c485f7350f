import type { Module } from '#modules/module.ts'
import { safeguardRoutes } from './routes.ts'
import { safeguardSettings } from './settings.ts'

/** The live checks of the HIPAA safeguards. It stores nothing itself. */
export const safeguards: Module = {
  name: 'safeguards',
  events: [],
  routes: safeguardRoutes,
  settings: safeguardSettings,
}
