import type { Pool } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import type { AnyProjection, ColumnType } from './projection.ts'

/** Column types as PostgreSQL writes them; texts that name things compare by bytes, which is also fastest. */
const toSqlType = (type: ColumnType) => (type === 'text' ? 'text collate "C"' : type)

/** A name as SQL has it. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The table of a projection, quoted. */
export const quoteTableName = ({ name }: AnyProjection): string => `read.${quoteIdentifier(name)}`

/** The columns with their types, in one order for every statement. */
export const listColumns = ({ columns }: AnyProjection): [name: string, type: ColumnType][] =>
  Object.entries(columns as Record<string, ColumnType>)

/** The table in which a read model is folded anew, beside the one that answers; it has a checkpoint row of its own. */
export const asShadow = <Named extends { name: string }>(projection: Named): Named => ({
  ...projection,
  name: `${projection.name}~next`,
})

/** The table that answered before the last rebuild, with its checkpoint row. */
export const asPrevious = <Named extends { name: string }>(projection: Named): Named => ({
  ...projection,
  name: `${projection.name}~previous`,
})

/**
 * Makes the tables of the read models that have none yet. Answers those whose table belongs to another version: they are
 * to be rebuilt.
 */
export async function prepareTables(pool: Pool, projections: readonly AnyProjection[]): Promise<AnyProjection[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.readModelSchema])
    await client.query(`
      create schema if not exists read;
      create table if not exists read.checkpoints (
        name       text primary key,
        version    int not null,
        -- The last event this read model has seen; null before the first.
        position   text collate "C",
        state      text not null default 'running',
        -- What stopped it: the event's position and the kind of error, never its data.
        stopped_at text,
        error      text,
        updated_at timestamptz not null default now());
      -- Since when it has been in its state.
      alter table read.checkpoints add column if not exists since timestamptz not null default now();
      -- What the read models were made from: one event by which the record is known again, and the one before it.
      create table if not exists read.origin (
        one      bool primary key default true check (one),
        after    text collate "C",
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
    await client.query('commit')
    return projections.filter(({ name, version }) => (versions.get(name) ?? version) !== version)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** An empty table with its primary key alone, in place of one that may be there. */
export function createTableSql(projection: AnyProjection): string {
  const table = quoteTableName(projection)
  const columns = listColumns(projection).map(([name, type]) =>
    name === projection.key
      ? `${quoteIdentifier(name)} ${toSqlType(type)} primary key`
      : `${quoteIdentifier(name)} ${toSqlType(type)}`,
  )
  return `drop table if exists ${table}; create table ${table} (${columns.join(', ')})`
}

/** Its other indexes, one statement each: made at once they cost less than kept up row by row. */
export const createIndexStatements = (projection: AnyProjection): string[] =>
  (projection.indexes ?? []).map((index) => `create index on ${quoteTableName(projection)} ${index}`)

/** Statements to read the rows with certain keys, to write rows over them, to remove them, and to bring in many new ones. */
export function buildStatements(projection: AnyProjection): {
  load: string
  save: string
  remove: string
  copy: string
} {
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
