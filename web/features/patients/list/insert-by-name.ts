import type { Patient } from '#contracts/patients.ts'

/** A page of the list. */
export type PatientsPage = { items: Patient[]; total: number; next: string | null }

/** The place of a patient in the order by name, nearly as the server computes it. */
const toKey = ({ lastName, firstName }: Patient): string =>
  `${lastName} ${firstName}`.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const comparePlaces = (a: Patient, b: Patient): number => {
  const [first, second] = [toKey(a), toKey(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

/**
 * Shows an added patient on a page of the list by name, until the page is fetched again. Returns the page itself when the patient
 * belongs on another one.
 */
export function insertByName(
  page: PatientsPage,
  added: Patient,
  { number, size }: { number: number; size: number },
): PatientsPage {
  const { items, total, next } = page
  const others = items.filter(({ id }) => id !== added.id)
  const after = others.findIndex((item) => comparePlaces(added, item) < 0)
  const isAfterOthers = after === -1
  if (others.length < items.length || (isAfterOthers && next !== null) || (after === 0 && number > 1)) return page
  const place = isAfterOthers ? others.length : after
  return { items: others.toSpliced(place, 0, added).slice(0, size), total: total + 1, next }
}
