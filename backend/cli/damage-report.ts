import type { Pool } from 'pg'
import {
  canCheckIndexes,
  checkPages,
  type DamagedTable,
  findDamagedIndexes,
  listDamagedTables,
} from '#database/damaged-pages.ts'
import { formatCount } from './terminal.ts'

const maxShown = 20

/** Returns whether stored data is damaged that reading the whole history does not meet. Health no longer names what was repaired. */
export async function isDamageLeft(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('app.damaged_pages') is not null as exists`,
  )
  // Findings stay in health until a check finds nothing.
  if (rows[0]?.exists && (await listDamagedTables(pool)).length > 0) return (await checkPages(pool)).length > 0
  // Reading in the order of the history uses one index of several.
  return (await findDamagedIndexes(pool)).length > 0
}

/** Reads all pages and prints which are damaged, what that concerns, and how to repair it. Health then names them too. */
export async function reportDamage(pool: Pool, print: (line: string) => void): Promise<void> {
  print('Stored data is damaged. Reading all of it to see how much:')
  const damaged = await checkPages(pool)
  if (damaged.length === 0)
    print('No table is damaged, so an index is: stop Everchart and run "reindex database everchart" in the database')
  if (!(await canCheckIndexes(pool))) print('Indexes cannot be checked: the extension amcheck is missing')
  for (const { table, index, pages } of damaged) {
    if (index !== null) {
      const where = pages.length > 0 ? ` (page ${pages[0]})` : ''
      print(`${table}: the index ${index} is damaged${where}. Rebuild it: reindex index ${quoteIndex(table, index)}`)
      continue
    }
    const shown = pages.slice(0, maxShown).join(', ')
    const rest = pages.length > maxShown ? ` and ${pages.length - maxShown} more` : ''
    print(`${table}: ${formatCount(pages.length, 'damaged page')}: ${shown}${rest}`)
    if (table === 'es.events') print(await describeLostEvents(pool, pages))
  }
  if (damaged.some((found) => found.index === null && isReadModel(found)))
    print('Tables in "read": npm run projections -- rebuild --all derives them again')
  if (damaged.some((found) => found.index === null && !isReadModel(found)))
    print('All others: restore the latest backup (docs/operations/backup-and-restore.md), on another disk')
}

/** Returns the full name of an index, which is in the schema of its table. */
const quoteIndex = (table: string, index: string) => `${table.slice(0, table.indexOf('.'))}."${index}"`

const isReadModel = ({ table }: DamagedTable) => table.startsWith('read.')

/**
 * Describes the events on damaged pages by their positions: those that are on no other page, because positions have no gaps.
 * After the last readable event there may be more.
 */
async function describeLostEvents(pool: Pool, pages: readonly number[]): Promise<string> {
  const readable = [-1, ...pages].map((page, index) => {
    const next = pages[index]
    const end = next === undefined ? '' : ` and ctid < '(${next},0)'`
    // The sum keeps PostgreSQL from the index, which leads to the other pages.
    return `select position + 0 as position from es.events where ctid >= '(${page + 1},0)'${end}`
  })
  const { rows } = await pool.query<{ first: string; last: string }>(
    `with readable as (${readable.join(' union all ')})
     select before + 1 as first, position - 1 as last
     from (select position, lag(position, 1, 0::bigint) over (order by position) as before from readable) as neighbors
     where position > before + 1 order by 1`,
  )
  const shown = rows.slice(0, maxShown).map(({ first, last }) => (first === last ? first : `${first} to ${last}`))
  const rest = rows.length > maxShown ? ` and ${rows.length - maxShown} more ranges` : ''
  return shown.length === 0
    ? '  events after the last readable one may be missing'
    : `  events that cannot be read: ${shown.join(', ')}${rest}`
}
