import { ImportId } from '#contracts/values/ids.ts'

/** What the address of the import says: the import that is on screen, none before it was started. */
export type ImportSearch = { id?: string }

/** Reads the address; what is no id is left out. */
export function parseImportSearch(raw: Record<string, unknown>): ImportSearch {
  const id = ImportId.safeParse(raw['id'])
  return id.success ? { id: id.data } : {}
}
