import type { Module } from '#modules/module.ts'
import { changeRoutes } from './routes.ts'

/** Live changes: which screens have something new to fetch. It holds nothing itself. */
export const changes: Module = { name: 'changes', events: [], routes: changeRoutes }
