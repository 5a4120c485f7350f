import type { Module } from '#modules/module.ts'
import { DataExportEvent } from './events.ts'
import { dataExportsMigration } from './file-store.ts'
import { deleteDataExportFile, deleteOldDataExportFiles, expireDataExport, writeDataExport } from './jobs.ts'
import { followDataExports } from './process-manager.ts'
import { dataExportsProjection } from './projection.ts'
import { dataExportRoutes } from './routes.ts'

/** Exports of all data of a practice, as CSV and FHIR files in one archive. */
export const dataExports: Module = {
  name: 'data-exports',
  events: [DataExportEvent],
  migrations: [dataExportsMigration],
  projections: [dataExportsProjection],
  processManagers: [followDataExports],
  jobs: [writeDataExport, expireDataExport, deleteDataExportFile, deleteOldDataExportFiles],
  liveUpdates: [{ kinds: ['data-exports'], events: [DataExportEvent] }],
  routes: dataExportRoutes,
}
