import type { DataExportCounts } from '#contracts/data-exports.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Services } from '#modules/module.ts'
import type { findPractice } from '#modules/practices/public.ts'
import type { ArchiveWriter } from './archive.ts'
import * as csv from './csv.ts'
import type * as fhir from './fhir.ts'

/** Records that are read with one query. */
export const pageSize = 250

/** A file of rows, each of them with its columns. */
export type Table<Row> = { write(rows: readonly Row[]): Promise<void> }

/** The files of an archive, by their format. */
export type ExportFiles = {
  /** Adds a CSV file and writes its header. */
  addTable<Row>(name: string, columns: csv.Columns<Row>): Promise<Table<Row>>
  /** Adds a file with the resources of one FHIR type, one in a line. */
  addResources(type: string): Table<fhir.Resource>
}

/** The export of one practice while it is written. */
export type ExportRun = {
  services: Services
  practiceId: PracticeId
  practice: NonNullable<Awaited<ReturnType<typeof findPractice>>>
  files: ExportFiles
  /** The numbers of exported records; the sections add theirs. */
  counts: DataExportCounts
  /** Patients that records refer to and that are not exported yet, by id: these alone are kept in memory. */
  missingPatients: Set<string>
  signal: AbortSignal
}

/** Creates the files of an archive. */
export const createExportFiles = (archive: ArchiveWriter): ExportFiles => ({
  async addTable(name, columns) {
    const entry = archive.addEntry(`csv/${name}.csv`)
    await entry.write(csv.formatHeader(columns))
    return {
      async write(rows) {
        for (const row of rows) await entry.write(csv.formatRow(columns, row))
      },
    }
  },
  addResources(type) {
    const entry = archive.addEntry(`fhir/${type}.ndjson`)
    return {
      async write(resources) {
        for (const resource of resources) await entry.write(`${JSON.stringify(resource)}\n`)
      },
    }
  },
})

/** Runs a function for each page of ids, one after the other. Throws when the export is stopped. */
export async function forEachPage<Id extends string>(
  { signal }: Pick<ExportRun, 'signal'>,
  ids: readonly Id[],
  run: (page: Id[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += pageSize) {
    signal.throwIfAborted()
    await run(ids.slice(start, start + pageSize))
  }
}
