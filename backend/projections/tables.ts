import type { Pool } from 'pg'
import type { AnyProjection, ColumnType } from './projection.ts'

const setUpLock = 7_274_333

/** Column types as PostgreSQL writes them; texts that name things compare by bytes, which is also fastest. */
const sqlType = (type: ColumnType) => (type === 'text' ? 'text collate "C"' : type)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The table of a projection, quoted. */
export const tableOf = ({ name }: AnyProjection): string => `read.${quoted(name)}`

/** The columns with their types, in one order for every statement. */
export const columnsOf = ({ columns }: AnyProjection): [name: string, type: ColumnType][] =>
  Object.entries(columns as Record<string, ColumnType>)

/**
 * Makes the tables of the read models. One whose version changed is emptied and follows from the first event again; what
 * is in it is derived and cannot be lost.
 */
export async function prepareTables(pool: Pool, projections: readonly AnyProjection[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [setUpLock])
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
        updated_at timestamptz not null default now())`)
    for (const projection of projections) {
      const { rows } = await client.query<{ version: number }>('select version from read.checkpoints where name = $1', [
        projection.name,
      ])
      if (rows[0]?.version === projection.version) continue
      await client.query(createTable(projection))
      await client.query(
        `insert into read.checkpoints (name, version) values ($1, $2)
         on conflict (name) do update
         set version = excluded.version, position = null, state = 'running', stopped_at = null, error = null`,
        [projection.name, projection.version],
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function createTable(projection: AnyProjection): string {
  const table = tableOf(projection)
  const columns = columnsOf(projection).map(([name, type]) =>
    name === projection.key ? `${quoted(name)} ${sqlType(type)} primary key` : `${quoted(name)} ${sqlType(type)}`,
  )
  const indexes = (projection.indexes ?? []).map((index) => `create index on ${table} ${index};`)
  return `drop table if exists ${table}; create table ${table} (${columns.join(', ')}); ${indexes.join(' ')}`
}

/** Statements to read the rows with certain keys, to write rows over them, and to remove them. */
export function statementsOf(projection: AnyProjection): { load: string; save: string; remove: string } {
  const table = tableOf(projection)
  const all = columnsOf(projection)
  const names = all.map(([name]) => quoted(name)).join(', ')
  const typed = all.map(([name, type]) => `${quoted(name)} ${type}`).join(', ')
  const key = quoted(projection.key)
  const keyType = projection.columns[projection.key] as ColumnType
  const others = all.filter(([name]) => name !== projection.key).map(([name]) => quoted(name))
  const overwrite = others.map((name) => `${name} = excluded.${name}`).join(', ')
  return {
    load: `select to_jsonb(t) as row from ${table} t where ${key} = any($1::${keyType}[])`,
    save: `insert into ${table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r(${typed})
           on conflict (${key}) do ${overwrite ? `update set ${overwrite}` : 'nothing'}`,
    remove: `delete from ${table} where ${key} = any($1::${keyType}[])`,
  }
}
