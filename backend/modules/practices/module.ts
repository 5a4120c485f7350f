import type { Module } from '#modules/module.ts'
import { PracticeEvent } from './events.ts'
import { practices as practicesTable } from './projection.ts'
import { practiceRoutes } from './routes.ts'
import { practiceSettings } from './settings.ts'

/** Practices: setup and settings. */
export const practices: Module = {
  name: 'practices',
  events: [PracticeEvent],
  projections: [practicesTable],
  liveUpdates: [{ kinds: ['practice'], events: [PracticeEvent] }],
  routes: practiceRoutes,
  settings: practiceSettings,
}
