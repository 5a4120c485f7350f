import fc from 'fast-check'
import { Pool } from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { toBinaryArray } from '#database/binary-array.ts'

const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1 })
afterAll(() => pool.end())

/** Sends an array and returns its elements as PostgreSQL writes them. */
async function readBack(type: string, array: Buffer): Promise<string[]> {
  const { rows } = await pool.query<{ values: string[] }>(`select $1::${type}[]::text[] as values`, [array])
  return rows[0]?.values ?? []
}

it('arrives as it was sent, text of any kind included', async () => {
  // PostgreSQL stores no zero byte, and no half of a surrogate pair.
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, fc.json())), async (values) => {
      expect(await readBack('text', toBinaryArray.text(values))).toEqual(values)
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), async (values) => {
      expect(await readBack('int8', toBinaryArray.int8(values))).toEqual(values.map(String))
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), async (values) => {
      expect(await readBack('int4', toBinaryArray.int4(values))).toEqual(values.map(String))
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uuid()), async (values) => {
      expect(await readBack('uuid', toBinaryArray.uuid(values))).toEqual(values)
    }),
  )
})

it.each(['', 'x', '0192f0c1-2345-7000-8000-00000000000', '0192f0c1-2345-7000-8000-00000000000g'])(
  'refuses %j as a UUID',
  (value) => {
    expect(() => toBinaryArray.uuid([value])).toThrow(RangeError)
  },
)
