import type { Module } from '#modules/module.ts'
import { chatMessagesMigration } from './history-store.ts'
import { chatRoutes } from './routes.ts'

/** The assistant, which answers questions from the data of other modules; no events of its own. */
export const chat: Module = {
  name: 'chat',
  events: [],
  migrations: [chatMessagesMigration],
  routes: chatRoutes,
}
