import { isDeepStrictEqual } from 'node:util'
import { type Interceptor, SchemaValidationError } from 'slonik'

type Outcome = { value?: unknown; issues?: readonly { path?: readonly unknown[] }[] }

const validate = (parser: { '~standard': { validate: (row: unknown) => unknown } }, row: unknown) =>
  parser['~standard'].validate(row) as Outcome

/**
 * Validates each row by the schema of its query: a renamed column fails here, not on a screen. It refuses schemas that change their
 * rows, with a default or by leaving out a column: `sampleRows` passes rows on as they are.
 */
export const checkAllRows: Interceptor = {
  name: 'check all rows',
  transformRow: ({ resultParser }, { sql }, row) => {
    if (!resultParser) return row
    const { value, issues } = validate(resultParser, row)
    if (issues) throw new SchemaValidationError({ sql, values: [] }, row as never, issues as never)
    if (!isDeepStrictEqual(value, row, { skipPrototype: true })) throw new Error(`A schema changes the rows of ${sql}`)
    return row
  },
}

/**
 * Validates a share of the rows, from 0 to 1. One that does not conform is passed on, and reported with the names of its columns, without values:
 * the reply of which it becomes a part is validated in any case (`serve`).
 */
export const sampleRows = (onMismatch: (columns: readonly string[]) => void, share = 0.01): Interceptor => ({
  name: 'sample rows',
  transformRow: ({ resultParser }, _query, row) => {
    if (!resultParser || Math.random() >= share) return row
    const { issues } = validate(resultParser, row)
    if (issues) onMismatch([...new Set(issues.map(({ path }) => String(path?.[0] ?? '')))])
    return row
  },
})
