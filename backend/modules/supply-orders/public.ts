import * as queries from './queries.ts'

/** Counts the orders of a scope: all, those that a process created, those that have not arrived, and those that have. */
export const countOrders = queries.countOrders

/** Reads the orders of a scope. Does not check what a caller may read of them. */
export const orders = queries.orderReader
