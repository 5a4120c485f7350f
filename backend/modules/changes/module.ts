import type { Module } from '#modules/module.ts'
import { changeRoutes } from './routes.ts'

/** Live updates: notifies open screens of stale data. It stores nothing itself. */
export const changes: Module = { name: 'changes', events: [], routes: changeRoutes }
