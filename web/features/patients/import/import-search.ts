import { ImportId } from '#contracts/values/ids.ts'

/** Search parameters of the import screen: the import on screen, none before it is started. */
export type ImportSearch = { id?: string }

/** Parses search parameters and drops an invalid id. */
export function parseImportSearch(raw: Record<string, unknown>): ImportSearch {
  const id = ImportId.safeParse(raw['id'])
  return id.success ? { id: id.data } : {}
}
