import type { AnyProjection, ColumnType } from './projection.ts'
import { createTotalsStatements } from './totals.ts'
import { dropTableSql, quoteIdentifier, quoteTableName, toNextName, toSqlType } from './table-names.ts'

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
  name: toNextName(projection),
})

/**
 * Returns the projection under the name of its previous table, kept from before the last rebuild with its checkpoint.
 */
export const asPrevious = <Named extends { name: string }>(projection: Named): Named => ({
  ...projection,
  name: `${projection.name}~previous`,
})

/** Returns SQL that creates an empty table with only its primary key, and that of its totals, replacing existing ones. */
export function createTableSql(projection: AnyProjection): string {
  const columns = listColumns(projection).map(([name, type]) =>
    name === projection.key
      ? `${quoteIdentifier(name)} ${toSqlType(type)} primary key`
      : `${quoteIdentifier(name)} ${toSqlType(type)}`,
  )
  const create = `create table ${quoteTableName(projection)} (${columns.join(', ')})`
  return [dropTableSql(projection), create, ...createTotalsStatements(projection)].join('; ')
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
 * same order. A loaded row has the index of its table in `part`. `also` is a writing statement that is run with the upserts; its
 * parameters follow theirs.
 */
export function buildCombinedStatements(
  projections: readonly AnyProjection[],
  also?: (first: number) => string,
): { load: string; save: string } {
  const each = projections.map(buildStatements)
  const number = (sql: string, index: number) => sql.replaceAll('$1', () => `$${index + 1}`)
  const loads = each.map(({ load }, index) => `select ${index} as part, row from (${number(load, index)}) as loaded`)
  const saves = each.map(({ save }, index) => `part_${index} as (${number(save, index)})`)
  const all = also ? [...saves, `other as (${also(projections.length + 1)})`] : saves
  return { load: loads.join(' union all '), save: `with ${all.join(', ')} select` }
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
