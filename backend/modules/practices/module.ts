import type { Module } from '#modules/module.ts'
import { PracticeEvent } from './events.ts'
import { practices as practicesTable } from './projection.ts'
import { practiceRoutes } from './routes.ts'

/** The practices themselves: who set them up, what they are called, where they are. */
export const practices: Module = {
  name: 'practices',
  events: [PracticeEvent],
  projections: [practicesTable],
  liveUpdates: [{ kinds: ['practice'], events: [PracticeEvent] }],
  routes: practiceRoutes,
}
