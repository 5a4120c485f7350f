import type { ImportField, ImportRequest } from '#contracts/patient-import.ts'
import { isClinicalField } from '#contracts/patients.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { requirePermission } from '#http/access.ts'
import { invalidRequest } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { type Column, joinedFields } from './columns.ts'

/**
 * Returns the columns that the user chose. Medical history, allergies and medications need `clinical:write`: without it
 * they are left out when recognized, and refused with 403 when chosen. An unknown column, or one field for two columns,
 * is 422.
 */
export function chooseColumns(recognized: Column[], mapping: ImportRequest['mapping'], caller: Member): Column[] {
  const mayWriteClinical = hasPermission(caller, 'clinical:write')
  const own = recognized.map((column) =>
    isClinicalField(column.field) && !mayWriteClinical ? { ...column, field: null } : column,
  )
  if (!mapping) return own
  const wanted = new Map(mapping.map(({ heading, field }) => [heading, field]))
  const byField = new Map<ImportField, string>()
  for (const [heading, field] of wanted) {
    const path = `mapping.${heading}`
    if (!own.some((column) => column.heading === heading))
      throw invalidRequest([{ path, message: 'The file has no column of this name' }])
    if (isClinicalField(field)) requirePermission(caller, 'clinical:write', path)
    if (field === null || joinedFields.has(field)) continue
    const other = byField.get(field)
    if (other !== undefined)
      throw invalidRequest([{ path, message: `This is already taken from the column “${other.slice(0, 100)}”` }])
    byField.set(field, heading)
  }
  return own.map((column) => {
    const field = wanted.get(column.heading)
    if (field !== undefined) return { ...column, field, isCertain: true }
    // A choice of the user replaces what was recognized.
    return column.field && byField.has(column.field) ? { ...column, field: null } : column
  })
}

/** Requires a column for the name. Throws 422. */
export function requireNames(columns: readonly Column[]): void {
  const fields = new Set(columns.map(({ field }) => field))
  if (fields.has('fullName') || (fields.has('firstName') && fields.has('lastName'))) return
  throw invalidRequest([
    { path: 'mapping', message: 'Please choose the columns with the first name and the last name' },
  ])
}
