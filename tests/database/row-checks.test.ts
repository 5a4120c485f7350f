import { type Interceptor, sql } from 'slonik'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#database/pool.ts'
import { checkAllRows, sampleRows } from '#database/row-checks.ts'
import { productionTimeouts } from '#database/timeouts.ts'

const Row = z.object({ id: z.number(), name: z.string() })

async function open(rowChecks?: Interceptor) {
  const db = await openDatabase(inject('databaseUrl'), productionTimeouts, rowChecks)
  onTestFinished(() => db.end())
  return db
}

describe('checking all rows', () => {
  it('refuses a row that does not conform to the schema of its query', async () => {
    const db = await open()
    expect(await db.any(sql.type(Row)`select 1 as id, 'Ann' as name`)).toEqual([{ id: 1, name: 'Ann' }])
    await expect(db.any(sql.type(Row)`select 1 as id, 2 as name`)).rejects.toThrow('do not conform')
    await expect(db.any(sql.type(Row)`select 1 as id`)).rejects.toThrow('do not conform')
  })

  it('refuses a schema that changes its rows, because a sample of them would not be changed', async () => {
    const db = await open(checkAllRows)
    const withDefault = Row.extend({ name: z.string().nullable().default('Ann') })
    const message = 'changes the rows'
    await expect(db.any(sql.type(Row)`select 1 as id, 'Ann' as name, true as also`)).rejects.toThrow(message)
    await expect(db.any(sql.type(withDefault)`select 1 as id`)).rejects.toThrow(message)
    const trimmed = Row.extend({ name: z.string().trim() })
    await expect(db.any(sql.type(trimmed)`select 1 as id, ' Ann' as name`)).rejects.toThrow(message)
  })
})

describe('checking a sample of rows', () => {
  it('passes on a row that does not conform, and reports its columns without values', async () => {
    const found: (readonly string[])[] = []
    const db = await open(sampleRows((columns) => found.push(columns), 1))
    const rows = [{ id: 'x', name: null }]
    expect(await db.any(sql.type(Row)`select 'x' as id, null as name`)).toEqual(rows)
    expect(await db.any(sql.type(Row)`select 1 as id, 'Ann' as name`)).toEqual([{ id: 1, name: 'Ann' }])
    expect(found).toEqual([['id', 'name']])
  })

  it('leaves out the others', async () => {
    const found: unknown[] = []
    const db = await open(sampleRows((columns) => found.push(columns), 0))
    expect(await db.any(sql.type(Row)`select 'x' as id from generate_series(1, 100)`)).toHaveLength(100)
    expect(found).toEqual([])
  })
})
