import * as queries from './queries.ts'

/** Returns the figures of the dashboard with their comparisons. Does not check what a caller may read of them. */
export const findStats = queries.findStats

/** Sums the fees of the appointments that were completed between two ISO instants, in cents. */
export const sumRevenue = queries.sumRevenue

/** Counts the patients who were registered between two ISO instants. */
export const countRegistrations = queries.countRegistrations
