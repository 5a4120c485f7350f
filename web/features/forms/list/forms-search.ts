import type { FormStatus, FormType } from '#contracts/values/forms.ts'
import { formStatusLabels, formTypeLabels } from '#web/entities/forms/form-labels.ts'

/**
 * Search parameters of the list. Omitted means all forms, first page. `page` is the number of the page that begins at `cursor`.
 * `new` opens the dialog for a new form, of the patient with the id `patient`.
 */
export type FormsSearch = {
  type?: FormType
  status?: FormStatus
  search?: string
  page?: number
  cursor?: string
  new?: true
  patient?: string
}

const maxSearchLength = 200
const maxCursorLength = 500
const idPattern = /^[0-9a-f-]{36}$/

/** Returns a plain search parameter as text; structured values count as empty. */
const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

// By their labels: the contract's schemas are not part of the first load, to which the routes belong.
const isFormType = (value: string): value is FormType => Object.hasOwn(formTypeLabels, value)
const isFormStatus = (value: string): value is FormStatus => Object.hasOwn(formStatusLabels, value)

/** Parses search parameters and drops invalid ones; a page without its cursor is the first one. */
export function parseFormsSearch(raw: Record<string, unknown>): FormsSearch {
  const type = toText(raw['type'])
  const status = toText(raw['status'])
  const search = toText(raw['search']).trim().slice(0, maxSearchLength)
  const cursor = toText(raw['cursor'])
  const page = Number(toText(raw['page']))
  const patient = toText(raw['patient'])
  const hasPage = Number.isSafeInteger(page) && page > 1 && cursor !== '' && cursor.length <= maxCursorLength
  return {
    ...(isFormType(type) ? { type } : {}),
    ...(isFormStatus(status) ? { status } : {}),
    ...(search ? { search } : {}),
    ...(hasPage ? { page, cursor } : {}),
    ...(toText(raw['new']) === 'true' || raw['new'] === true ? { new: true as const } : {}),
    ...(idPattern.test(patient) ? { patient } : {}),
  }
}
