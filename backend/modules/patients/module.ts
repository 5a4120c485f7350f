import { Router } from '@koa/router'
import { dropReadModels } from '#projections/drop-read-models.ts'
import type { Module } from '../module.ts'
import { PatientEvent } from './events.ts'
import { ImportEvent } from './import/events.ts'
import { runImports, deleteOldFiles } from './import/jobs.ts'
import { scheduleImports } from './import/process-manager.ts'
import { patientImportNotes, patientImports } from './import/projection.ts'
import { importMigration } from './import/queries.ts'
import { importRoutes } from './import/routes.ts'
import {
  patientCountsProjection,
  patientsProjection,
  patientWordsProjection,
  removedPatientsProjection,
} from './projection.ts'
import { patientRoutes } from './routes.ts'
import { samplePatients } from './sample.ts'

/** Patients: their records, search, and import from another system. */
export const patients: Module = {
  name: 'patients',
  events: [PatientEvent, ImportEvent],
  migrations: [
    {
      // Trigrams for misspelled words; the other two let one index start with the practice.
      id: 'patients-001-extensions',
      sql: `create extension if not exists pg_trgm;
            create extension if not exists btree_gin;
            create extension if not exists btree_gist;`,
    },
    importMigration,
    // Other modules' public.ts replaced them.
    dropReadModels('patients-003-drop-read-models', ['patient_practices', 'patient_editors']),
  ],
  projections: [
    patientsProjection,
    patientWordsProjection,
    patientCountsProjection,
    removedPatientsProjection,
    patientImports,
    patientImportNotes,
  ],
  processManagers: [scheduleImports],
  jobs: [runImports, deleteOldFiles],
  sample: samplePatients,
  liveUpdates: [
    { kinds: ['patients'], events: [PatientEvent] },
    { kinds: ['imports'], events: [ImportEvent] },
  ],
  // The imports first: `/api/patients/import` is not the id of a patient.
  routes: (services) =>
    new Router().use(importRoutes(services).routes()).use(patientRoutes(services).routes()) as Router,
}
