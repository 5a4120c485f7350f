import type { DatabasePool } from 'slonik'
import { sql } from 'slonik'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#database/pool.ts'
import { prepared, statement } from '#database/prepared.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

const Row = z.object({ value: z.string() })
const Statement = z.object({ name: z.string(), text: z.string() })

describe('a named statement', () => {
  let database: TestDatabase
  let db: DatabasePool

  beforeAll(async () => {
    database = await createTestDatabase()
    db = await openDatabase(database.url)
  })
  afterAll(async () => {
    await db.end()
    await database.drop()
  })

  const find = (id: number) =>
    db.any(prepared(sql.type(Row)`select value from public.things where id = ${id} and value <> ${'hidden'}`))

  it('has one name for each text, whatever its values are', () => {
    const [one, other] = [1, 2].map((id) => prepared(sql.type(Row)`select value from public.things where id = ${id}`))
    expect(one?.name).toBe(other?.name)
    expect(one?.name).not.toBe(prepared(sql.type(Row)`select value from public.things`).name)
    expect(statement('select 1', []).name).toBe(statement('select 1', [2]).name)
    expect(statement('select 1', []).name).not.toBe(statement('select 2', []).name)
  })

  it('is parsed once, and finds the rows of a table that took the place of its own', async () => {
    await db.query(sql.unsafe`create table public.things (id int primary key, value text)`)
    await db.query(sql.unsafe`insert into public.things values (1, 'first'), (2, 'hidden')`)
    for (let n = 0; n < 8; n++) expect(await find(1)).toEqual([{ value: 'first' }])
    expect(await find(2)).toEqual([])
    const known = await db.any(sql.type(Statement)`
      select name, statement as text from pg_prepared_statements where statement like '%public.things%'`)
    expect(known).toHaveLength(1)
    // As the swap at the end of a rebuild does.
    await db.query(sql.unsafe`alter table public.things rename to earlier`)
    await db.query(sql.unsafe`create table public.things (added text, id int primary key, value text)`)
    await db.query(sql.unsafe`insert into public.things values ('', 1, 'second')`)
    expect(await find(1)).toEqual([{ value: 'second' }])
  })
})
