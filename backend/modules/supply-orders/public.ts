import * as proposal from './propose-order.ts'
import * as queries from './queries.ts'

/** Counts the orders of a scope: all, those that a process created, those that have not arrived, and those that have. */
export const countOrders = queries.countOrders

/** Reads the orders of a scope. Does not check what a caller may read of them. */
export const orders = queries.orderReader

/** Proposes to order an item, unless it is on an order that has not arrived. */
export const proposeOrder = proposal.proposeOrder

/** Returns the items of an order of a practice; null when there is none. */
export const loadOrder = proposal.loadOrder

/** Returns what has arrived of the items of a delivered order. */
export const findArrivals = proposal.findArrivals
