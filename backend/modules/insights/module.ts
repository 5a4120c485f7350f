import type { Module } from '#modules/module.ts'
import { insightRoutes } from './routes.ts'

/** What follows from the practice's record and is worth doing. It has no facts of its own. */
export const insights: Module = { name: 'insights', events: [], routes: insightRoutes }
