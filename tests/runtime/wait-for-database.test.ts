import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { waitForDatabase } from '#runtime/wait-for-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { startTransactionPooler } from '#tests/support/transaction-pooler.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const wait = (url: string, log: (line: string) => void = () => undefined) =>
  waitForDatabase('DATABASE_URL', url, new AbortController().signal, log)

/** Returns the message with which a database is refused, without its address. */
const refusal = (url: string) =>
  wait(url).then(
    () => undefined,
    (error: Error) => error.message.replace(/\(.+?\)/, '(it)'),
  )

describe('a database', () => {
  it('is used when its sessions belong to connections', async () => {
    expect(await refusal(database.url)).toBe(undefined)
  })

  it('is used with a word about a limit of connections that is too low', async () => {
    const logged: string[] = []
    await wait(database.url, (line) => logged.push(line))
    expect(logged).toEqual([])
    const client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query(`alter database ${new URL(database.url).pathname.slice(1)} connection limit 20`)
    await client.end()
    await wait(database.url, (line) => logged.push(line))
    expect(logged).toEqual(['PostgreSQL allows 20 connections, and an instance uses up to 46 under load'])
  })

  it('is refused behind a pooler that gives each transaction any session', async () => {
    const pooler = await startTransactionPooler(database.url)
    expect(await refusal(pooler.url)).toBe(
      'The database of DATABASE_URL (it) cannot be used: a pooler gives each transaction any session. Use the address of PostgreSQL itself',
    )
    await pooler.stop()
  })

  it('is refused behind a pooler that does not accept what the application sets', async () => {
    const pooler = await startTransactionPooler(database.url, { refuses: 'statement_timeout' })
    expect(await refusal(pooler.url)).toBe(
      'The database of DATABASE_URL (it) cannot be used: unsupported startup parameter: statement_timeout',
    )
    await pooler.stop()
  })

  it('is refused at once when a certificate of its address cannot be read', async () => {
    expect(await refusal(`${database.url}?sslmode=verify-full&sslrootcert=/nowhere.pem`)).toBe(
      "The database of DATABASE_URL (it) cannot be used: ENOENT: no such file or directory, open '/nowhere.pem'",
    )
  })

  it('is refused with another encoding', async () => {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const name = `${new URL(database.url).pathname.slice(1)}_ascii`
    await client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
    const url = new URL(database.url)
    url.pathname = `/${name}`
    expect(await refusal(url.href)).toBe('The database of DATABASE_URL (it) cannot be used: its encoding must be UTF8')
    await client.query(`drop database ${name}`)
    await client.end()
  })
})
