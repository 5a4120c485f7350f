import { recordDecider } from '#modules/records/public.ts'
import { stockItemEvents } from './events.ts'

/** The rules of an item of the stock: those of every record. */
export const stockItemDecider = recordDecider(stockItemEvents, { category: 'stock-item', noun: 'item' })
