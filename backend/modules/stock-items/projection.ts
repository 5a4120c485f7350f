import { recordProjection } from '#modules/records/public.ts'
import { stockItemEvents } from './events.ts'

/** The stock of all practices, one row for each item. */
export const stockItemsProjection = recordProjection(stockItemEvents, { name: 'stock_items', version: 1 })
