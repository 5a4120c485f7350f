import { vitalSignsReader } from './queries.ts'

/** Reads the vital signs of a scope. Does not check what a caller may read of them. */
export const vitalSigns = vitalSignsReader
