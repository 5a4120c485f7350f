/**
 * The place in a list that an address names: filters, search, page and the open record. Omitted means all records, first page.
 * `filter` has a choice of the kind's own.
 */
export type RecordPlace = {
  status?: string
  search?: string
  filter?: Readonly<Record<string, string>>
  page?: number
  cursor?: string
  record?: string
}

const maxSearchLength = 200
const maxCursorLength = 500
const idPattern = /^[0-9a-f-]{36}$/

/** Returns a plain search parameter as text; structured values count as empty. */
const toText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

type Known = {
  statuses: readonly string[]
  filters: readonly { name: string; choices: Readonly<Record<string, string>> }[]
}

/** Parses search parameters and drops invalid ones; a page without its cursor is the first one. */
export function parseRecordPlace(raw: Record<string, unknown>, { statuses, filters }: Known): RecordPlace {
  const status = toText(raw['status'])
  const search = toText(raw['search']).trim().slice(0, maxSearchLength)
  const cursor = toText(raw['cursor'])
  const page = Number(toText(raw['page']))
  const record = toText(raw['record'])
  const chosen = filters.flatMap(({ name, choices }) => {
    const value = typeof raw[name] === 'boolean' ? String(raw[name]) : toText(raw[name])
    return Object.hasOwn(choices, value) ? [[name, value] as const] : []
  })
  const hasPage = Number.isSafeInteger(page) && page > 1 && cursor !== '' && cursor.length <= maxCursorLength
  return {
    ...(statuses.includes(status) ? { status } : {}),
    ...(search ? { search } : {}),
    ...(chosen.length > 0 ? { filter: Object.fromEntries(chosen) } : {}),
    ...(hasPage ? { page, cursor } : {}),
    ...(idPattern.test(record) ? { record } : {}),
  }
}

/** Returns a place as search parameters. */
export const toParameters = ({ filter, ...rest }: RecordPlace): Record<string, string | number> => ({
  ...rest,
  ...filter,
})

/** Returns the filters of a place, without its page and its open record. */
export const withoutPage = ({ status, search, filter }: RecordPlace): RecordPlace => ({
  ...(status ? { status } : {}),
  ...(search ? { search } : {}),
  ...(filter ? { filter } : {}),
})
