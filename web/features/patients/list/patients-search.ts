import { PatientSort } from '#contracts/values/patient-sort.ts'
import type { Sort } from '#web/ui/data-table.tsx'

/**
 * Search parameters of the list. Omitted means no search, sorted by name (a search by best match), first page. `new` opens
 * the form for a new patient.
 */
export type PatientsSearch = { search?: string; sort?: PatientSort; page?: number; new?: true }

const maxSearchLength = 200

/** Returns a plain search parameter as text; structured values count as empty. */
const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Parses search parameters and drops invalid ones. */
export function parsePatientsSearch(raw: Record<string, unknown>): PatientsSearch {
  const search = toText(raw['search']).trim().slice(0, maxSearchLength)
  // Older links sort by the last change, which the list no longer shows as such.
  const sort = PatientSort.safeParse(toText(raw['sort']).replace('updatedAt', 'lastVisit'))
  const page = Number(toText(raw['page']))
  return {
    ...(search ? { search } : {}),
    ...(sort.success ? { sort: sort.data } : {}),
    ...(Number.isSafeInteger(page) && page > 1 && page <= 20_000 ? { page } : {}),
    ...(toText(raw['new']) === 'true' || raw['new'] === true ? { new: true as const } : {}),
  }
}

/** Returns the sort order of the table; by default a list is sorted by name and a search by best match. */
export function toTableSort({ search, sort }: PatientsSearch): Sort | null {
  if (!sort) return search ? null : { id: 'name', desc: false }
  return sort.startsWith('-') ? { id: sort.slice(1), desc: true } : { id: sort, desc: false }
}

/** Returns the sort order for the URL; undefined for the default order. */
export function toPatientSort(sort: Sort | null, { search }: PatientsSearch): PatientSort | undefined {
  if (!sort || (sort.id === 'name' && !sort.desc && !search)) return undefined
  return PatientSort.parse(sort.desc ? `-${sort.id}` : sort.id)
}
