import * as queries from './queries.ts'

/** Reads the stock of a scope. Does not check what a caller may read of it. */
export const stockItems = queries.stockItemReader
