import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { sql } from 'slonik'
import { z } from 'zod'
import { openDatabase, openPool } from '#database/pool.ts'
import { withSessionSettings } from '#database/session-settings.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

const Row = z.object({ at: z.string(), day: z.string(), bytes: z.string() })
const query = sql.type(Row)`
  select timestamptz '2026-12-01T08:30:00Z' as at, date '2026-12-01' as day, decode('00ff', 'hex')::text as bytes`
const expected = { at: '2026-12-01T08:30:00.000Z', day: '2026-12-01', bytes: String.raw`\x00ff` }

/** Settings that a server of another country, or with another purpose, may have. */
const defaults = [
  `datestyle = 'SQL, DMY'`,
  `timezone = 'Asia/Kolkata'`,
  `bytea_output = 'escape'`,
  `client_encoding = 'LATIN1'`,
  `default_transaction_isolation = 'repeatable read'`,
]

describe('a database with other defaults', () => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createTestDatabase()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const name = new URL(database.url).pathname.slice(1)
    for (const setting of defaults) await client.query(`alter database ${name} set ${setting}`)
    await client.end()
    app = await startTestApp({ databaseUrl: database.url })
  })
  afterAll(async () => {
    await app.stopInstance()
    await database.drop()
  })

  it('is read in the formats that the application expects', async () => {
    const db = await openDatabase(database.url)
    expect(await db.one(query)).toEqual(expected)
    await db.end()
  })

  it('shows a transaction what others have committed', async () => {
    const pool = openPool(database.url, 1)
    const { rows } = await pool.query(`select current_setting('transaction_isolation') as isolation`)
    expect(rows).toEqual([{ isolation: 'read committed' }])
    await pool.end()
  })

  it('keeps what the application saves', async () => {
    const { client } = await newOwner(app)
    const patient = (
      await client.post('/api/patients', { firstName: 'Żaneta', lastName: 'Ó', dateOfBirth: '1990-02-01' })
    ).body
    const booked = await client.post('/api/appointments', {
      patientId: patient.id,
      appointmentDate: '2031-02-03T09:15',
      type: 'check-up',
    })
    expect(booked.body).toMatchObject({ appointmentDate: '2031-02-03T14:15:00.000Z' })
    const [listed] = (await client.get('/api/patients')).body
    expect(listed).toMatchObject({ firstName: 'Żaneta', dateOfBirth: '1990-02-01', createdAt: patient.createdAt })
  })
})

describe('the settings of an address', () => {
  it('are added once, before its own', () => {
    const url = withSessionSettings('postgres://me:x@db.example/everchart?options=-c%20timezone%3DAsia/Tokyo')
    expect(new URL(url).searchParams.get('options')).toMatch(
      /^-c client_encoding=UTF8 .*read\\ committed -c timezone=Asia\/Tokyo$/,
    )
    expect(withSessionSettings(url)).toBe(url)
  })
})
