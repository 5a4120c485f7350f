import type { Module } from '#modules/module.ts'
import { WaitlistEvent } from './events.ts'
import { removeEntriesOfRemovedPatient, removeFromWaitlist } from './jobs.ts'
import { closeWaitlistEntries } from './process-manager.ts'
import { waitlistProjection } from './projection.ts'
import { waitlistRoutes } from './routes.ts'

/** Patients who would like an earlier slot. */
export const waitlist: Module = {
  name: 'waitlist',
  events: [WaitlistEvent],
  projections: [waitlistProjection],
  processManagers: [closeWaitlistEntries],
  jobs: [removeFromWaitlist, ...Object.values(removeEntriesOfRemovedPatient)],
  liveUpdates: [{ kinds: ['waitlist'], events: [WaitlistEvent] }],
  routes: waitlistRoutes,
}
