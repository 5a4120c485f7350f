import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/test-database.ts'

test('every test file gets its own empty database with the extensions', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  try {
    expect(one.url).not.toBe(two.url)
    const client = new Client({ connectionString: one.url })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ extname: string }>('select extname from pg_extension order by extname')
    expect(rows.map((row) => row.extname)).toEqual(['btree_gin', 'btree_gist', 'pg_trgm', 'plpgsql'])
    const { rows: names } = await client.query(`select word_similarity('Hoper', 'Grace Hopper') > 0.5 as alike`)
    expect(names).toEqual([{ alike: true }])
  } finally {
    await Promise.all([one.drop(), two.drop()])
  }
})
