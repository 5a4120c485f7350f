import fc from 'fast-check'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyRows } from '#projections/rebuild/copy-rows.ts'
import { withConnection } from '#database/pool.ts'
import { defineProjection } from '#projections/projection.ts'
import { quoteTableName } from '#projections/table-names.ts'
import { buildStatements, createIndexStatements, createTableSql } from '#projections/tables.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from '#tests/support/test-database.ts'

/** A projection with a column of each type. */
const everything = defineProjection<never, Record<string, unknown>>({
  name: 'everything',
  version: 1,
  columns: {
    id: 'uuid',
    text: 'text',
    texts: 'text[]',
    small: 'int4',
    large: 'int8',
    yes: 'bool',
    day: 'date',
    at: 'timestamptz',
    json: 'jsonb',
  },
  key: 'id',
  indexes: ['(text)', '(day)'],
  rowOf: () => null,
  on: {},
})

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 2)
  await pool.query('create schema read')
  await pool.query([createTableSql(everything), ...createIndexStatements(everything)].join('; '))
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Any text that PostgreSQL can store, with many characters that COPY and array literals escape. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('\\', '\t', '\n', '\r', '"', '{', '}', ',', ' ', 'N', 'NULL', '\\.', "'", 'é', '😀'),
  }),
)
const storableText = text.filter((value) => !value.includes('\0') && value.isWellFormed())
/** Other keys may be read as the keys of another object, see `tests/contracts/json-keys.test.ts`. */
const safeKey = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/)
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const row = fc.record({
  id: fc.uuid(),
  text: orNull(storableText),
  texts: orNull(fc.array(orNull(storableText), { maxLength: 4 })),
  small: orNull(fc.integer()),
  large: orNull(fc.maxSafeInteger()),
  yes: orNull(fc.boolean()),
  day: orNull(fc.constantFrom('0001-01-01', '2026-11-20', '9999-12-31')),
  at: orNull(fc.constantFrom('2026-11-20T08:00:00.120Z', '1950-01-01T00:00:00.000Z')),
  json: orNull(
    fc.dictionary(
      safeKey,
      fc.oneof(storableText, fc.integer(), fc.boolean(), fc.constant(null), fc.array(storableText)),
    ),
  ),
})
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 8 })

const stored = async () =>
  (
    await pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${quoteTableName(everything)} t order by id`,
    )
  ).rows

it('copies exactly what live updates write', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (many) => {
      await pool.query(`truncate ${quoteTableName(everything)}`)
      await pool.query(buildStatements(everything).save, [JSON.stringify(many)])
      const written = await stored()
      await pool.query(`truncate ${quoteTableName(everything)}`)
      await withConnection(pool, (client) => copyRows(client, everything, many))
      expect(await stored()).toEqual(written)
      expect(written.length).toBe(many.length)
    }),
    { numRuns: 150, endOnFailure: true },
  )
})

it.each([
  ['a lone surrogate', { text: '\ud800' }],
  ['a text with a zero byte', { text: 'a\0b' }],
  ['an invalid date', { day: '2026-13-01' }],
])('refuses %s as live updates do', async (_, wrong) => {
  const many = [{ id: crypto.randomUUID(), ...wrong }]
  await expect(pool.query(buildStatements(everything).save, [JSON.stringify(many)])).rejects.toThrow(/./)
  await withConnection(pool, async (client) => {
    await expect(copyRows(client, everything, many)).rejects.toThrow(/./)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})
