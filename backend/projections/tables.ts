import type { Pool } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { withTransaction } from '#database/pool.ts'
import type { AnyProjection, ColumnType } from './projection.ts'

/** Returns a column type in SQL. Text compares by bytes, which is also fastest. */
const toSqlType = (type: ColumnType) => (type === 'text' ? 'text collate "C"' : type)

/** Returns a name as a quoted SQL identifier. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Returns the quoted table name of a projection. */
export const quoteTableName = ({ name }: { name: string }): string => `read.${quoteIdentifier(name)}`

/** Returns the columns with their types as stored, in the same order for every statement. Encrypted values are text. */
export const listColumns = ({ columns, sealed }: AnyProjection): [name: string, type: ColumnType][] =>
  Object.entries(columns as Record<string, ColumnType>).map(([name, type]) =>
    sealed?.columns.includes(name) ? [name, 'text'] : [name, type],
  )

/**
 * Returns the projection under the name of its shadow table, which a rebuild fills and which has its own checkpoint.
 */
export const asShadow = <Named extends { name: string }>(projection: Named): Named => ({
  ...projection,
  name: `${projection.name}~next`,
})

/**
 * Returns the projection under the name of its previous table, kept from before the last rebuild with its checkpoint.
 */
export const asPrevious = <Named extends { name: string }>(projection: Named): Named => ({
  ...projection,
  name: `${projection.name}~previous`,
})

/** Creates missing tables. Returns the projections whose table is of another version and has to be rebuilt. */
export async function prepareTables(pool: Pool, projections: readonly AnyProjection[]): Promise<AnyProjection[]> {
  return await withTransaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.readModelSchema])
    await client.query(`
      create schema if not exists read;
      create table if not exists read.checkpoints (
        name text primary key,
        version int not null,
        -- The last event processed; null before the first.
        position text collate "C",
        state text not null default 'running',
        state_since timestamptz not null default now(),
        -- The event that it failed at, and the kind of error, never data.
        failed_at_position text,
        error text,
        updated_at timestamptz not null default now());
      -- An event that identifies the event store of the read models, and the position before it (ADR 10).
      create table if not exists read.origin (
        singleton bool primary key default true check (singleton),
        previous_position text collate "C",
        position text collate "C" not null,
        event_id uuid not null)`)
    const { rows } = await client.query<{ name: string; version: number }>('select name, version from read.checkpoints')
    const versions = new Map(rows.map(({ name, version }) => [name, version]))
    for (const projection of projections.filter(({ name }) => !versions.has(name))) {
      await client.query([createTableSql(projection), ...createIndexStatements(projection)].join('; '))
      await client.query('insert into read.checkpoints (name, version) values ($1, $2)', [
        projection.name,
        projection.version,
      ])
    }
    return projections.filter(({ name, version }) => (versions.get(name) ?? version) !== version)
  })
}

/** Returns SQL that creates an empty table with only its primary key, replacing an existing one. */
export function createTableSql(projection: AnyProjection): string {
  const table = quoteTableName(projection)
  const columns = listColumns(projection).map(([name, type]) =>
    name === projection.key
      ? `${quoteIdentifier(name)} ${toSqlType(type)} primary key`
      : `${quoteIdentifier(name)} ${toSqlType(type)}`,
  )
  return `drop table if exists ${table}; create table ${table} (${columns.join(', ')})`
}

/**
 * Returns one statement for each other index. Creating them on a filled table costs less than updating them row by row.
 */
export const createIndexStatements = (projection: AnyProjection): string[] =>
  (projection.indexes ?? []).map((index) => `create index on ${quoteTableName(projection)} ${index}`)

/** The statements of one table. The parameter of all but `copy` is `$1`. */
type Statements = { load: string; save: string; remove: string; copy: string }

const statements = new WeakMap<AnyProjection, Statements>()

/** Returns the statements that load, upsert and remove rows by key, and that copy new rows in bulk. */
export function buildStatements(projection: AnyProjection): Statements {
  const built = statements.get(projection) ?? build(projection)
  statements.set(projection, built)
  return built
}

/**
 * Builds the statements that load and upsert the rows of several tables at once; their parameters are those of the tables, in the
 * same order. A loaded row has the index of its table in `part`.
 */
export function buildCombinedStatements(projections: readonly AnyProjection[]): { load: string; save: string } {
  const each = projections.map(buildStatements)
  const number = (sql: string, index: number) => sql.replaceAll('$1', () => `$${index + 1}`)
  const loads = each.map(({ load }, index) => `select ${index} as part, row from (${number(load, index)})`)
  const saves = each.map(({ save }, index) => `part_${index} as (${number(save, index)})`)
  return { load: loads.join(' union all '), save: `with ${saves.join(', ')} select` }
}

function build(projection: AnyProjection): Statements {
  const table = quoteTableName(projection)
  const all = listColumns(projection)
  const names = all.map(([name]) => quoteIdentifier(name)).join(', ')
  const typed = all.map(([name, type]) => `${quoteIdentifier(name)} ${type}`).join(', ')
  const key = quoteIdentifier(projection.key)
  const keyType = projection.columns[projection.key] as ColumnType
  const others = all.filter(([name]) => name !== projection.key).map(([name]) => quoteIdentifier(name))
  const overwrite = others.map((name) => `${name} = excluded.${name}`).join(', ')
  return {
    load: `select to_jsonb(t) as row from ${table} t where ${key} = any($1::${keyType}[])`,
    save: `insert into ${table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r(${typed})
           on conflict (${key}) do ${overwrite ? `update set ${overwrite}` : 'nothing'}`,
    remove: `delete from ${table} where ${key} = any($1::${keyType}[])`,
    copy: `copy ${table} (${names}) from stdin`,
  }
}
