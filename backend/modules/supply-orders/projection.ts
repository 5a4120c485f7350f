import { recordProjection } from '#modules/records/public.ts'
import { orderEvents } from './events.ts'

/** The orders of supplies of all practices, one row each. */
export const ordersProjection = recordProjection(orderEvents, { name: 'supply_orders', version: 1 })
