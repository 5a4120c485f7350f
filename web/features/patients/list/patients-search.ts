import { PatientSort } from '#contracts/values/patient-sort.ts'
import type { Sort } from '#web/ui/data-table.tsx'

/**
 * What the address of the list says. What is left out: no search, by name (best match in a search), first page. `new` opens
 * the form for a new patient.
 */
export type PatientsSearch = { search?: string; sort?: PatientSort; page?: number; new?: true }

const maxSearchLength = 200

/** A plain value as it stood in the address; anything else that was put together there counts as nothing. */
const typed = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Reads an address as anybody may have typed it; what makes no sense is left out. */
export function parsePatientsSearch(raw: Record<string, unknown>): PatientsSearch {
  const search = typed(raw['search']).trim().slice(0, maxSearchLength)
  const sort = PatientSort.safeParse(raw['sort'])
  const page = Number(typed(raw['page']))
  return {
    ...(search ? { search } : {}),
    ...(sort.success ? { sort: sort.data } : {}),
    ...(Number.isSafeInteger(page) && page > 1 && page <= 20_000 ? { page } : {}),
    ...(typed(raw['new']) === 'true' || raw['new'] === true ? { new: true as const } : {}),
  }
}

/** The order as the table shows it: without one the list is by name, a search by best match. */
export function toTableSort({ search, sort }: PatientsSearch): Sort | null {
  if (!sort) return search ? null : { id: 'name', desc: false }
  return sort.startsWith('-') ? { id: sort.slice(1), desc: true } : { id: sort, desc: false }
}

/** The order a click asked for, as the address says it; none where it is what comes by itself. */
export function toPatientSort(sort: Sort | null, { search }: PatientsSearch): PatientSort | undefined {
  if (!sort || (sort.id === 'name' && !sort.desc && !search)) return undefined
  return PatientSort.parse(sort.desc ? `-${sort.id}` : sort.id)
}
