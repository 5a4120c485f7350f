import type { Module } from '#modules/module.ts'
import { recordPatientsProjection } from './projection.ts'

/** The common ground of records about a patient; no events of its own. */
export const records: Module = {
  name: 'records',
  events: [],
  projections: [recordPatientsProjection],
}
