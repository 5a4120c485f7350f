import { type ExportRun, pageSize } from '../export-run.ts'
import { recordTables, toLineColumns, toLines, toRecordColumns } from '../record-tables.ts'

/** Writes the records that practices keep beside patients and appointments. */
export async function writeRecords({ services, practiceId, files, missingPatients, signal }: ExportRun): Promise<void> {
  const { db, keyStore } = services
  const scope = { practiceId, includeSamples: true }
  for (const recordTable of recordTables) {
    const { name, reader, lines, resources } = recordTable
    const table = await files.addTable(name, toRecordColumns(recordTable))
    const lineTable = lines && (await files.addTable(lines.name, toLineColumns(lines)))
    const entries = (resources?.types ?? []).map((type) => ({ type, entry: files.addResources(type) }))
    let cursor: string | undefined
    do {
      signal.throwIfAborted()
      const { records, next } = await reader.findPage({ db, keyStore }, { scope, limit: pageSize, cursor })
      await table.write(records)
      if (lines && lineTable) await lineTable.write(toLines(lines, records))
      if (resources) {
        for (const { patientId } of records) if (patientId !== null) missingPatients.add(patientId)
        const all = records.flatMap((record) => resources.of(record))
        for (const { type, entry } of entries)
          await entry.write(all.filter(({ resourceType }) => resourceType === type))
      }
      cursor = next ?? undefined
    } while (cursor !== undefined)
  }
}
