import * as queries from './queries.ts'

/** Counts the documents of a scope: all, drafts of a model, approved ones, and those that are not. */
export const countDocuments = queries.countDocuments

/** Reads the clinical documents of a scope. Does not check what a caller may read of them. */
export const documents = queries.documentReader
