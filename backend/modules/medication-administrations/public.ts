import { administrationReader } from './queries.ts'

/** Reads what was given to the patients of a scope. Does not check what a caller may read of it. */
export const administrations = administrationReader
