import type { ClientBase } from 'pg'
import type { AnyProjection, Row, Totals } from './projection.ts'
import { getTotalsName, quoteIdentifier, quoteTableName, toLiveName, toSqlType } from './table-names.ts'

const operations = ['insert', 'update', 'delete'] as const

/**
 * Returns the statements that create the empty table of a projection's totals, and the triggers that keep them; none for a
 * projection without totals. A trigger finds the table by the name that its own table has at the time, as a rebuild renames both.
 */
export function createTotalsStatements(projection: AnyProjection): string[] {
  const { totals, version } = projection
  if (!totals) return []
  const table = quoteTableName(projection)
  const columns = [
    ...Object.entries(totals.key).map(([name, type]) => `${quoteIdentifier(name)} ${toSqlType(type)} not null`),
    ...totals.sums.map((name) => `${quoteIdentifier(name)} int8 not null`),
  ]
  const key = Object.keys(totals.key).map(quoteIdentifier).join(', ')
  const created = `create table ${quoteTableName({ name: getTotalsName(projection) })} (${columns.join(', ')}, primary key (${key}))`
  const triggers = operations.flatMap((operation) => {
    // Before a swap, two versions exist side by side.
    const name = `read.${quoteIdentifier(`${operation} ${projection.name} v${version}`)}`
    const references = [
      operation !== 'insert' && 'old table as old_rows',
      operation !== 'delete' && 'new table as new_rows',
    ]
    return [
      createFunctionSql(name, toLiveName(projection), totals, operation),
      `create trigger totals_${operation} after ${operation} on ${table}
       referencing ${references.filter(Boolean).join(' ')} for each statement execute function ${name}()`,
    ]
  })
  return [created, ...triggers]
}

/**
 * Returns the function of a trigger. Its statement names the totals of the table that is in use, so that each connection plans it once;
 * for tables with other names, as during a rebuild, it is planned each time.
 */
function createFunctionSql(
  name: string,
  liveName: string,
  totals: Totals,
  operation: (typeof operations)[number],
): string {
  const [added, removed] = [operation !== 'delete' && 'new_rows', operation !== 'insert' && 'old_rows']
  const sides = [added && selectChanges(totals, added, 1), removed && selectChanges(totals, removed, -1)]
  const key = Object.keys(totals.key).map(quoteIdentifier).join(', ')
  const sums = totals.sums.map(quoteIdentifier)
  const addTo = (table: string) => `
    insert into ${table} as stored (${key}, ${sums.join(', ')})
    select ${key}, ${sums.map((sum) => `sum(${sum})::int8`).join(', ')}
    from (${sides.filter(Boolean).join(' union all ')}) as changes
    group by ${key} having ${sums.map((sum) => `sum(${sum}) <> 0`).join(' or ')}
    on conflict (${key}) do update set ${sums.map((sum) => `${sum} = stored.${sum} + excluded.${sum}`).join(', ')}`
  return `
    create or replace function ${name}() returns trigger language plpgsql as $function$
    begin
      -- An upsert calls both triggers, mostly one of them without rows.
      if not exists (select from ${added || removed}) then
        return null;
      end if;
      if tg_table_name = '${liveName}' then
        ${addTo(quoteTableName({ name: getTotalsName({ name: liveName }) }))};
      else
        execute replace($sql$${addTo('read.~totals')}$sql$, '~totals',
          quote_ident(tg_table_name || '${getTotalsName({ name: '' })}'));
      end if;
      return null;
    end $function$`
}

/** Returns SQL for what the rows of a relation add to the totals, or take from them. */
function selectChanges({ key, sums, select }: Totals, rows: string, sign: 1 | -1): string {
  const columns = [
    ...Object.keys(key).map(quoteIdentifier),
    ...sums.map(quoteIdentifier).map((sum) => `${sign} * ${sum} as ${sum}`),
  ]
  return `select ${columns.join(', ')} from (${select(rows)}) as part`
}

/** A total that differs. `found` is null when it is missing, `expected` when no row adds to it. */
type TotalDifference = { key: string; found: Row | null; expected: Row | null }

/** Compares the totals of a projection with sums over its rows. */
export async function compareTotals(client: ClientBase, projection: AnyProjection): Promise<TotalDifference[]> {
  const { totals } = projection
  if (!totals) return []
  const key = Object.keys(totals.key).map(quoteIdentifier)
  const sums = totals.sums.map(quoteIdentifier)
  const nonZero = sums.map((sum) => `${sum} <> 0`).join(' or ')
  const { rows } = await client.query<TotalDifference>(`
    with expected as (
      select ${key.join(', ')}, ${sums.map((sum) => `sum(${sum})::int8 as ${sum}`).join(', ')}
      from (${totals.select(quoteTableName(projection))}) as part group by ${key.join(', ')}),
    found as (select * from ${quoteTableName({ name: getTotalsName(projection) })} where ${nonZero})
    select concat_ws(' ', ${key.map((name) => `coalesce(f.${name}, e.${name})`).join(', ')}) as key,
      to_jsonb(f) as found, to_jsonb(e) as expected
    from found f full join (select * from expected where ${nonZero}) e on ${key.map((name) => `e.${name} = f.${name}`).join(' and ')}
    where to_jsonb(f) is distinct from to_jsonb(e)`)
  return rows
}
