import type { Module } from '#modules/module.ts'
import { FeeEvent } from './events.ts'
import { feeRoutes } from './routes.ts'

/** The fee schedule of a practice. */
export const fees: Module = {
  name: 'fees',
  events: [FeeEvent],
  liveUpdates: [{ kinds: ['practice'], events: [FeeEvent] }],
  routes: feeRoutes,
}
