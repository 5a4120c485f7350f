import type { Migration } from '#database/migrations.ts'
import { asPrevious, asShadow } from './tables.ts'
import { dropTableSql } from './table-names.ts'

/**
 * Returns the migration that drops the tables of projections that a module does not have any more: nothing would update them, and
 * the names of an erased patient would stay there.
 */
export const dropReadModels = (id: string, names: readonly string[]): Migration => {
  const tables = names.flatMap((name) => [{ name }, asShadow({ name }), asPrevious({ name })])
  const list = tables.map(({ name }) => `'${name}'`).join(', ')
  return {
    id,
    sql: `
      ${tables.map(dropTableSql).join('; ')};
      do $$ begin
        if to_regclass('read.checkpoints') is not null then delete from read.checkpoints where name in (${list}); end if;
      end $$`,
  }
}
