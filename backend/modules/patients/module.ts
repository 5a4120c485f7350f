import type { Module } from '../module.ts'
import { patientCountsProjection, patientsProjection, patientWordsProjection } from './projection.ts'
import { patientRoutes } from './routes.ts'

/** The patients of a practice: their records, how they are found, and how they come over from another system. */
export const patients: Module = {
  name: 'patients',
  migrations: [
    {
      // Trigrams for words that were typed almost right; the other two let one index begin with the practice.
      id: 'patients-001-extensions',
      sql: `create extension if not exists pg_trgm;
            create extension if not exists btree_gin;
            create extension if not exists btree_gist;`,
    },
  ],
  projections: [patientsProjection, patientWordsProjection, patientCountsProjection],
  routes: patientRoutes,
}
