import type { Pool, QueryConfig } from 'pg'
import type { Migration } from './migrations.ts'

/** The damaged pages that the last check found; a page is 8 kB of a table's file. */
export const damagedPagesMigration: Migration = {
  id: 'database-001-damaged-pages',
  sql: `create table app.damaged_pages (
          -- Schema and name.
          table_name text collate "C" primary key,
          pages int[] not null,
          found_at timestamptz not null default now())`,
}

/** An index is rebuilt whole, so that of its damaged pages only the first one is recorded. */
export const damagedIndexesMigration: Migration = {
  id: 'database-002-damaged-indexes',
  sql: `alter table app.damaged_pages
          -- Empty for the table itself.
          add column index_name text collate "C" not null default '',
          drop constraint damaged_pages_pkey,
          add primary key (table_name, index_name)`,
}

/** The damaged pages of a table, such as `es.events`, or of one of its indexes; `index` is null for the table itself. */
export type DamagedTable = { table: string; index: string | null; pages: number[] }

/** PostgreSQL's codes for a damaged table and a damaged index. */
const damageCodes = new Set(['XX001', 'XX002'])
const undefinedTable = '42P01'

/** Returns whether an error, or one of its causes, means that stored data is damaged: its checksum is wrong, or a part is missing. */
export function isDamaged(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  const { code, cause } = error as Error & { code?: string }
  return damageCodes.has(code ?? '') || isDamaged(cause, depth + 1)
}

const pagesPerQuery = 128
/** A query reads at most a few megabytes; a disk that takes longer is not checked further. */
const queryTimeoutMs = 120_000
/** `app.damaged_pages` itself may be damaged too, but then its content does not matter. */
const listTablesSql = `
  select format('%I.%I', n.nspname, c.relname) as name,
    (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind = 'r' order by 1`

const listIndexesSql = `
  select format('%I.%I', n.nspname, t.relname) as table, i.relname as index, format('%I.%I', n.nspname, i.relname) as name
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_namespace n on n.oid = t.relnamespace join pg_am a on a.oid = i.relam
  where n.nspname = any($1) and t.relkind = 'r' and a.amname = 'btree' and x.indisvalid and x.indisready order by 1, 2`
/** An index is checked with one query, however large it is. */
const indexTimeoutMs = 3_600_000

const checkedSchemas = ['app', 'es', 'read']
type CheckOptions = { schemas?: readonly string[]; signal?: AbortSignal }

/**
 * Reads every page of every table of some schemas, with all values, and every index that can be checked, and replaces the
 * findings of the last check. PostgreSQL finds damage only when it reads a page from the disk: a page that is in its memory
 * counts as undamaged.
 */
export async function checkPages(
  pool: Pool,
  { schemas = checkedSchemas, signal }: CheckOptions = {},
): Promise<DamagedTable[]> {
  const { rows: tables } = await pool.query<{ name: string; pages: number }>(listTablesSql, [schemas])
  const damaged: DamagedTable[] = []
  for (const { name, pages } of tables) {
    const found: number[] = []
    for (let first = 0; first < pages; first += pagesPerQuery) {
      signal?.throwIfAborted()
      found.push(...(await findDamaged(pool, name, first, Math.min(first + pagesPerQuery, pages))))
    }
    if (found.length > 0) damaged.push({ table: name, index: null, pages: found })
  }
  damaged.push(...(await findDamagedIndexes(pool, { schemas, ...(signal && { signal }) })))
  await saveFindings(pool, damaged)
  return damaged
}

/**
 * Returns whether indexes can be checked: PostgreSQL's extension amcheck is installed, and the role of the pool may use it.
 */
export async function canCheckIndexes(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ can: boolean | null }>(
    `select has_function_privilege(to_regprocedure('bt_index_check(regclass)'), 'execute') as can`,
  )
  return rows[0]?.can === true
}

/**
 * Checks the B-tree indexes of some schemas, all pages and their order, and returns the damaged ones, each with its first
 * damaged page where PostgreSQL names it. Indexes of other kinds belong to read models only.
 */
export async function findDamagedIndexes(
  pool: Pool,
  { schemas = checkedSchemas, signal }: CheckOptions = {},
): Promise<DamagedTable[]> {
  if (!(await canCheckIndexes(pool))) return []
  const { rows } = await pool.query<{ table: string; index: string; name: string }>(listIndexesSql, [schemas])
  const damaged: DamagedTable[] = []
  for (const { table, index, name } of rows) {
    signal?.throwIfAborted()
    try {
      await pool.query({
        text: 'select bt_index_check(to_regclass($1))',
        values: [name],
        query_timeout: indexTimeoutMs,
      } as QueryConfig)
    } catch (error) {
      if (!isDamaged(error)) throw error
      const page = /\bblock (\d+)/.exec((error as Error).message)?.[1]
      damaged.push({ table, index, pages: page === undefined ? [] : [Number(page)] })
    }
  }
  return damaged
}

/** Returns the damaged pages of a range, which is halved until one page is left. */
async function findDamaged(pool: Pool, table: string, from: number, to: number): Promise<number[]> {
  try {
    await pool.query({
      // The text of a row contains all of its values, those in the table's TOAST too.
      text: `select count(hashtext(t::text)) from ${table} t where ctid >= $1::tid and ctid < $2::tid`,
      values: [`(${from},0)`, `(${to},0)`],
      query_timeout: queryTimeoutMs,
    } as QueryConfig)
    return []
  } catch (error) {
    // A rebuild has dropped the table since it was listed.
    if ((error as { code?: string }).code === undefinedTable) return []
    if (!isDamaged(error)) throw error
    if (to - from === 1) return [from]
    const middle = Math.floor((from + to) / 2)
    return [...(await findDamaged(pool, table, from, middle)), ...(await findDamaged(pool, table, middle, to))]
  }
}

/** Replaces the findings in one statement, so that health never sees half of them. */
async function saveFindings(pool: Pool, damaged: readonly DamagedTable[]): Promise<void> {
  await pool.query(
    `with found as (
         select "table", coalesce("index", '') as "index", pages
         from jsonb_to_recordset($1) as f("table" text, "index" text, pages int[])),
       gone as (
         delete from app.damaged_pages where (table_name, index_name) not in (select "table", "index" from found))
     insert into app.damaged_pages (table_name, index_name, pages) select "table", "index", pages from found
     on conflict (table_name, index_name) do update set pages = excluded.pages`,
    [JSON.stringify(damaged)],
  )
}

/** Returns the findings of the last check. They stay until another check finds nothing. */
export async function listDamagedTables(pool: Pool): Promise<DamagedTable[]> {
  const { rows } = await pool.query<DamagedTable>(
    `select table_name as table, nullif(index_name, '') as index, pages
     from app.damaged_pages order by table_name, index_name`,
  )
  return rows
}
