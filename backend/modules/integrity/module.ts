import type { Module } from '#modules/module.ts'
import { checkStoredPages } from './jobs.ts'

/** Finds damage of the stored data. */
export const integrity: Module = {
  name: 'integrity',
  events: [],
  jobs: [checkStoredPages],
}
