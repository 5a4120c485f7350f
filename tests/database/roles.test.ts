import { randomUUID } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openPool } from '#database/pool.ts'
import { parseRole, prepareApplicationRole } from '#database/roles.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { modules } from '#main/modules.ts'
import { prepareDatabase } from '#main/prepare-database.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { toApplicationUrl } from '#runtime/embedded-postgres.ts'
import { itLong } from '#tests/support/long.ts'

const projections = modules.flatMap((module) => module.projections ?? [])
/** The owner of the events, as which tests sign in to the database. */
const { name: ownerName } = parseRole(inject('databaseUrl'))

describe("the application's role", () => {
  let app: TestApp
  let pool: Pool

  beforeAll(async () => {
    app = await startTestApp()
    await newOwner(app)
    pool = openPool(toApplicationUrl(app.databaseUrl), 1)
  })
  afterAll(async () => {
    await pool.end()
    await app.dispose()
  })

  it('is the role of every connection of the application', async () => {
    const { rows } = await app.services.pool.query<{ usename: string }>(
      `select distinct usename from pg_stat_activity where datname = current_database() and application_name = 'everchart'`,
    )
    expect(rows).toEqual([{ usename: 'everchart_app' }])
  })

  it.each([
    'alter table es.events disable trigger append_only',
    'alter table es.events disable trigger all',
    'drop trigger append_only on es.events',
    `update es.events set data = '{}'`,
    'delete from es.events',
    'truncate es.events',
    'drop table es.events',
    'drop schema es cascade',
    'alter table es.events rename to gone',
    'alter table es.events owner to current_user',
    `set session_replication_role = 'replica'`,
    `set role ${ownerName}`,
    `create or replace function es.reject_mutation() returns trigger language plpgsql as 'begin return null; end'`,
    'alter function es.reject_mutation() owner to current_user',
    'drop function es.reject_mutation() cascade',
    'create trigger before_append before insert on es.events for each row execute function es.reject_mutation()',
    `insert into es.events (position, stream, revision, event_id, type, data, metadata)
     values (1000000, 'forged-1', 0, gen_random_uuid(), 'Forged', '{}', '{}')`,
    'create table es.mine ()',
    `copy es.events from '/dev/null'`,
  ])('cannot %s', async (statement) => {
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('can read and append events', async () => {
    const store = await openPostgresStore(pool)
    const metadata = {
      practiceId: null,
      actor: { kind: 'process', name: 'test' } as const,
      correlationId: 'c',
      causationId: 'c',
      at: new Date().toISOString(),
      schemaVersion: 1,
      sample: false,
    }
    const newEvent = () => ({ id: randomUUID(), type: 'Noted', data: {}, metadata })
    const newStream = () => ({ stream: `note-${randomUUID()}`, expected: 'no-stream' as const, events: [newEvent()] })
    const { stream, expected, events } = newStream()
    expect(await store.append(stream, expected, events)).toMatchObject({ status: 'appended' })
    expect(await store.appendTogether?.([newStream(), newStream()])).toMatchObject({ status: 'appended' })
    await store.close()
  })

  it('does not replace a function that the append calls', async () => {
    await pool.query(`create function pg_temp.max(bigint) returns bigint language sql as 'select 0::bigint'`)
    await pool.query('set search_path = pg_temp, pg_catalog')
    const { rows } = await pool.query<{ head: string; last: string }>(
      `select (select head from es.append_group('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')) as head,
         (select pg_catalog.max(position) from es.events) as last`,
    )
    expect(rows[0]?.head).toBe(rows[0]?.last)
    const together = await pool.query<{ head: string }>(
      `select head from es.append_together('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
    )
    expect(together.rows[0]?.head).toBe(rows[0]?.last)
  })
})

describe('an installation that has moved to an EventStoreDB with an earlier version', () => {
  it('starts with the functions of that version', async () => {
    const database = await createTestDatabase()
    const owner = openPool(database.url, 1)
    try {
      await openPostgresStore(owner).then(({ close }) => close())
      await owner.query('drop function es.append_together')
      const addresses = { databaseUrl: toApplicationUrl(database.url), ownerUrl: database.url }
      expect(await prepareDatabase(addresses, { storesEvents: false })).toEqual({ isProtected: true })
      const { rows } = await owner.query<{ can: boolean }>(
        `select has_table_privilege('everchart_app', 'es.events', 'select') as can`,
      )
      expect(rows).toEqual([{ can: true }])
    } finally {
      await owner.end()
      await database.drop()
    }
  })
})

describe('an installation with one role', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('is not protected', async () => {
    const addresses = { databaseUrl: database.url, ownerUrl: database.url }
    expect(await prepareDatabase(addresses, { storesEvents: true })).toEqual({ isProtected: false })
  })

  itLong("continues with the application's role, and nothing is lost", async () => {
    const before = await startTestApp({ databaseUrl: database.url, isSingleRole: true })
    const owner = await newOwner(before)
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    await before.stopInstance()

    const after = await startTestApp({ databaseUrl: database.url })
    const client = after.newClient()
    client.setCookie(owner.client.cookie())
    expect((await client.post('/api/patients', { firstName: 'Ada', lastName: 'Byron' })).status).toBe(201)
    const imported = await client.post('/api/patients/import', { csv: 'First Name,Last Name\nMary,Somerville\n' })
    expect(imported.status).toBe(202)
    await expect.poll(async () => (await client.get('/api/patients')).body.length).toBe(3)
    for (const projection of projections) {
      expect(await rebuild(after.services, projection)).toMatchObject({ status: 'done' })
      expect(await verifyProjection(after.services, projection)).toMatchObject({ differences: 0 })
    }
    const { rows } = await after.services.pool.query<{ owner: string }>(
      `select distinct pg_get_userbyid(c.relowner) as owner from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('app', 'read', 'jobs')`,
    )
    expect(rows).toEqual([{ owner: 'everchart_app' }])
    await after.stopInstance()
  })
})

describe('an owner that is not a superuser', () => {
  it('prepares the role in a database of its own, also after it created everything itself', async () => {
    const database = await createTestDatabase()
    const name = new URL(database.url).pathname.slice(1)
    const [ownerName, roleName] = [`owner_${name}`, `app_${name}`]
    const admin = new Client({ connectionString: database.url })
    await admin.connect()
    try {
      await admin.query(`create role ${ownerName} login password 'x'; create role ${roleName} login password 'y';
        grant ${roleName} to ${ownerName}; alter database ${name} owner to ${ownerName}`)
      const toUrl = (username: string, password: string) =>
        Object.assign(new URL(database.url), { username, password }).href
      const addresses = { databaseUrl: toUrl(roleName, 'y'), ownerUrl: toUrl(ownerName, 'x') }
      const single = { databaseUrl: addresses.ownerUrl, ownerUrl: addresses.ownerUrl }
      expect(await prepareDatabase(single, { storesEvents: true })).toEqual({ isProtected: false })
      const owner = openPool(addresses.ownerUrl, 1)
      await owner.query(
        `create schema read; create table read.numbers (n serial); create type read.mood as enum ('ok')`,
      )
      expect(await prepareDatabase(addresses, { storesEvents: true })).toEqual({ isProtected: true })
      // Repeated by every start.
      await prepareApplicationRole(owner, { name: roleName, password: 'y' })
      await owner.end()
      const application = openPool(addresses.databaseUrl, 1)
      await application.query('drop table read.numbers; drop type read.mood; create schema app')
      await expect(application.query('delete from es.events')).rejects.toMatchObject({ code: '42501' })
      await application.end()
    } finally {
      await admin.end()
      await database.drop()
      const server = new Client({
        connectionString: Object.assign(new URL(database.url), { pathname: '/postgres' }).href,
      })
      await server.connect()
      await server.query(`drop role ${ownerName}; drop role ${roleName}`)
      await server.end()
    }
  })
})
