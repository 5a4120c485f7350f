import * as queries from './queries.ts'

/** Returns the figures of the dashboard with their comparisons. Does not check what a caller may read of them. */
export const findStats = queries.findStats
