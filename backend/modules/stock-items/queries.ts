import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { StockItemId } from '#contracts/values/ids.ts'
import { recordReader } from '#modules/records/requests/public.ts'
import { stockItemEvents } from './events.ts'
import { stockItemsProjection } from './projection.ts'

/** The queries of the stock. */
export const stockItemReader = recordReader(stockItemEvents, stockItemsProjection, ['name', 'supplierName'])

const NamedItem = z.object({ id: StockItemId, key: z.string() })

/** Finds the active items of a practice by their keys (`toStockKey`), the oldest first. */
export const findItemsByKey = (
  db: CommonQueryMethods,
  practiceId: string,
  keys: readonly string[],
): Promise<readonly z.infer<typeof NamedItem>[]> =>
  db.any(sql.type(NamedItem)`
    select s.id, lower(trim(s.name)) as key from read.stock_items s
    where s.practice_id = ${practiceId} and s.status = 'active' and lower(trim(s.name)) = any(${sql.array(keys, 'text')})
    order by s.created_at, s.id`)
