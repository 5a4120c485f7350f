import type { z } from 'zod'
import { formatCsvCell } from './values/csv.ts'

/** The most records in one file; the list has pages for more. */
export const maxExportedRecords = 10_000

/** Fields of a reply that a file does not repeat: the parts of the name, and what only programs need. */
const leftOut = new Set(['patient', 'revision', 'check', 'eligibility'])

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatValue).join('; ')
  if (typeof value === 'object')
    return 'name' in value && 'id' in value ? formatValue(value.name) : JSON.stringify(value)
  return String(value as string | number | boolean)
}

/**
 * Returns the file of a list: a line for each record with the fields of its reply, after a line with their names. Instants are in
 * UTC. Several values of a field are separated by semicolons.
 */
export function formatRecordsCsv(reply: z.ZodObject, records: readonly Readonly<Record<string, unknown>>[]): string {
  const names = Object.keys(reply.shape).filter((name) => !leftOut.has(name))
  const lines = [names, ...records.map((record) => names.map((name) => formatValue(record[name])))]
  // Excel reads the characters of a file as UTF-8 only after this mark.
  return `\u{FEFF}${lines.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('')}`
}
