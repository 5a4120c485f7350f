import { type ExportRun, pageSize } from '../export-run.ts'
import { recordTables, toLineColumns, toLines, toRecordColumns } from '../record-tables.ts'

/** Writes the records that practices keep beside patients and appointments. */
export async function writeRecords({ services, practiceId, files, signal }: ExportRun): Promise<void> {
  const { db, keyStore } = services
  const scope = { practiceId, includeSamples: true }
  for (const recordTable of recordTables) {
    const { name, reader, lines } = recordTable
    const table = await files.addTable(name, toRecordColumns(recordTable))
    const lineTable = lines && (await files.addTable(lines.name, toLineColumns(lines)))
    let cursor: string | undefined
    do {
      signal.throwIfAborted()
      const { records, next } = await reader.findPage({ db, keyStore }, { scope, limit: pageSize, cursor })
      await table.write(records)
      if (lines && lineTable) await lineTable.write(toLines(lines, records))
      cursor = next ?? undefined
    } while (cursor !== undefined)
  }
}
