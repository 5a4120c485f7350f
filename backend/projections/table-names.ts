import type { ColumnType } from './projection.ts'

/** Returns a column type in SQL. Text compares by bytes, which is also fastest. */
export const toSqlType = (type: ColumnType) => (type === 'text' ? 'text collate "C"' : type)

/** Returns a name as a quoted SQL identifier. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Returns the quoted table name of a projection. */
export const quoteTableName = ({ name }: { name: string }): string => `read.${quoteIdentifier(name)}`

type Named = { readonly name: string }

const nextSuffix = '~next'

/** Returns the name of the table that a rebuild of a projection fills. */
export const toNextName = ({ name }: Named): string => `${name}${nextSuffix}`

/** Returns the name that the table of a projection has in use: its own, or that of a rebuild after its swap. */
export const toLiveName = ({ name }: Named): string =>
  name.endsWith(nextSuffix) ? name.slice(0, -nextSuffix.length) : name

/** Returns the name of the table with the totals of a projection. */
export const getTotalsName = ({ name }: Named): string => `${name}_totals`

/** Returns SQL that drops the table of a projection and that of its totals. */
export const dropTableSql = (projection: Named): string =>
  `drop table if exists ${quoteTableName(projection)}, ${quoteTableName({ name: getTotalsName(projection) })}`

/** Returns SQL that renames the table of a projection and that of its totals. */
export const renameTableSql = (from: Named, to: Named): string => `
  alter table ${quoteTableName(from)} rename to ${quoteIdentifier(to.name)};
  alter table if exists ${quoteTableName({ name: getTotalsName(from) })} rename to ${quoteIdentifier(getTotalsName(to))}`
