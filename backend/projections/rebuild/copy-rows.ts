import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { AnyProjection, ColumnType, Row } from '#projections/projection.ts'
import { buildStatements, listColumns } from '#projections/tables.ts'

const rowsPerChunk = 500

/** Copies new rows into the table of a projection, many times faster than inserts. */
export async function copyRows(client: ClientBase, projection: AnyProjection, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = listColumns(projection)
  function* lines() {
    for (let start = 0; start < rows.length; start += rowsPerChunk)
      yield rows
        .slice(start, start + rowsPerChunk)
        .map((row) => `${columns.map(([name, type]) => formatField(row[name], type)).join('\t')}\n`)
        .join('')
  }
  await pipeline(Readable.from(lines()), client.query(copyFrom(buildStatements(projection).copy)))
}

/** Formats a value for COPY. Refuses the same values as the upsert of live updates. */
function formatField(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return '\\N'
  if (type === 'jsonb') return escapeCopyText(JSON.stringify(value))
  if (type === 'text[]')
    return escapeCopyText(`{${(value as readonly (string | null)[]).map(formatElement).join(',')}}`)
  return escapeCopyText(typeof value === 'string' ? value : JSON.stringify(value))
}

function formatElement(value: string | null): string {
  if (value === null) return 'NULL'
  return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
}

const copyEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Escapes a text for COPY. Throws TypeError for a lone surrogate. */
export function escapeCopyText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('lone surrogate in text')
  return /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (found) => copyEscapes[found] ?? found) : text
}
