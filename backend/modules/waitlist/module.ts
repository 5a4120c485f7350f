import type { Module } from '#modules/module.ts'
import { WaitlistEvent } from './events.ts'
import { finishAddingToWaitlist, removeFromWaitlist, removePatientFromWaitlist } from './jobs.ts'
import { closeWaitlistEntries } from './process-manager.ts'
import { waitlistProjection } from './projection.ts'
import { waitlistRoutes } from './routes.ts'

/** Patients who would like an earlier slot. */
export const waitlist: Module = {
  name: 'waitlist',
  events: [WaitlistEvent],
  projections: [waitlistProjection],
  processManagers: [closeWaitlistEntries],
  jobs: [finishAddingToWaitlist, removeFromWaitlist, removePatientFromWaitlist],
  liveUpdates: [{ kinds: ['waitlist'], events: [WaitlistEvent] }],
  routes: waitlistRoutes,
}
