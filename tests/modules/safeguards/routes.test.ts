import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Safeguards } from '#contracts/safeguards.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { turnOnTwoFactor } from '#tests/support/two-factor.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const check = async (client: Client) => (await client.get('/api/safeguards')).body as Safeguards

describe('the safeguards', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  /** Runs SQL as the owner of the events, as an operator or an attacker could. */
  async function asOwner(text: string, values: unknown[] = []): Promise<void> {
    const client = new PostgresClient({ connectionString: app.databaseUrl })
    await client.connect()
    await client.query(text, values)
    await client.end()
  }

  const register = async (client: Client, lastName: string) =>
    (await client.post('/api/patients', { firstName: 'Grace', lastName })).body.id as string

  describe('of the records', () => {
    it('count the keys of the patients of one practice, and open the newest record', async () => {
      const { client } = await newOwner(app)
      const other = await newOwner(app)
      await register(other.client, 'Elsewhere')
      expect((await check(client)).dataEncryption).toEqual({
        isActive: true,
        patients: 0,
        patientsWithKey: 0,
        newestRecord: 'none',
      })
      await register(client, 'Hopper')
      await register(client, 'Murray')
      expect((await check(client)).dataEncryption).toEqual({
        isActive: true,
        patients: 2,
        patientsWithKey: 2,
        newestRecord: 'encrypted',
      })
    })

    it('need action when a key is missing or does not belong to its record', async () => {
      const { client } = await newOwner(app)
      const [first, second] = [await register(client, 'First'), await register(client, 'Second')]
      const keep = 'create table public.kept as select * from app.data_keys where subject = any($1)'
      await asOwner(keep.replace('$1', `array['${first}','${second}']`))
      await asOwner('delete from app.data_keys where subject = $1', [first])
      expect((await check(client)).dataEncryption).toMatchObject({
        isActive: false,
        patients: 2,
        patientsWithKey: 1,
        newestRecord: 'encrypted',
      })
      await asOwner("update app.data_keys set master_fingerprint = 'another' where subject = $1", [second])
      expect((await check(client)).dataEncryption).toMatchObject({ isActive: false, patientsWithKey: 0 })
      await asOwner('delete from app.data_keys where subject = any($1)', [[first, second]])
      await asOwner('insert into app.data_keys select * from public.kept')
      expect((await check(client)).dataEncryption.isActive).toBe(true)
      await asOwner('drop table public.kept')
    })

    it('need action when the newest record is stored in plain text', async () => {
      const { client } = await newOwner(app)
      const id = await register(client, 'Plain')
      const stream = `patient-${id}`
      await asOwner('alter table es.events disable trigger append_only')
      await asOwner(
        `update es.events set data = ((data::jsonb - '$phi') || '{"lastName": "Plain"}')::text
         where stream = $1 and revision = 0`,
        [stream],
      )
      await asOwner('alter table es.events enable trigger append_only')
      expect((await check(client)).dataEncryption).toMatchObject({ isActive: false, newestRecord: 'plain' })
    })
  })

  it('need action while stored entries can be changed, or are damaged', async () => {
    const { client, practice } = await newOwner(app)
    const sound = (await check(client)).auditLogging
    expect(sound).toEqual({
      isActive: true,
      recordedSince: practice.createdAt,
      refusesChanges: true,
      isOwnerSeparate: true,
      isUndamaged: true,
    })
    await asOwner('alter table es.events disable trigger append_only')
    expect((await check(client)).auditLogging).toEqual({ ...sound, isActive: false, refusesChanges: false })
    await asOwner('alter table es.events enable trigger append_only')
    await asOwner("insert into app.damaged_pages (table_name, pages) values ('read.patients', array[1])")
    expect((await check(client)).auditLogging).toEqual(sound)
    await asOwner("insert into app.damaged_pages (table_name, pages) values ('es.events', array[7])")
    expect((await check(client)).auditLogging).toEqual({ ...sound, isActive: false, isUndamaged: false })
    await asOwner('delete from app.damaged_pages')
    expect((await check(client)).auditLogging).toEqual(sound)
  })

  it('need action until everyone signs in with a second factor, or has to', async () => {
    const { client, practice } = await newOwner(app)
    expect((await check(client)).accessControls).toEqual({
      isActive: false,
      members: 1,
      membersWithTwoFactor: 0,
      isTwoFactorRequired: false,
      sessionTimeout: 60,
    })
    await turnOnTwoFactor(client, app.services.clock)
    expect((await check(client)).accessControls).toMatchObject({ isActive: true, membersWithTwoFactor: 1 })
    const nurse = await newMember(app, practice.id, 'nurse')
    expect((await check(client)).accessControls).toMatchObject({ isActive: false, members: 2, membersWithTwoFactor: 1 })
    await client.patch(`/api/team/${nurse.user.id}`, { suspended: true })
    expect((await check(client)).accessControls).toMatchObject({ isActive: true, members: 1 })
    await client.patch(`/api/team/${nurse.user.id}`, { suspended: false })
    await client.patch(`/api/practices/${practice.id}`, { requireTwoFactor: true, sessionTimeout: 30 })
    expect((await check(client)).accessControls).toEqual({
      isActive: true,
      members: 2,
      membersWithTwoFactor: 1,
      isTwoFactorRequired: true,
      sessionTimeout: 30,
    })
  })

  it('say how the installation is reached, and how it reaches its database', async () => {
    const { client } = await newOwner(app)
    expect((await check(client)).secureTransmission).toEqual({
      isActive: true,
      address: 'https://practice.example',
      isHttps: true,
      database: 'local',
      eventStore: 'in-database',
      mail: 'outbox',
    })
  })

  it('are for the owner and administrators', async () => {
    const { practice } = await newOwner(app)
    for (const role of ['doctor', 'nurse', 'staff', 'reviewer'] as const) {
      const { client } = await newMember(app, practice.id, role)
      expect((await client.get('/api/safeguards')).status).toBe(403)
    }
    const { client } = await newMember(app, practice.id, 'administrator')
    expect((await client.get('/api/safeguards')).status).toBe(200)
  })

  itLong('ask the database as often for many patients as for one', async () => {
    const { client } = await newOwner(app)
    let statements = 0
    const count = () => void statements++
    // Each statement of this pool acquires a connection; so do read models that catch up, now and then.
    app.services.pool.on('acquire', count)
    const countStatements = async () => {
      statements = 0
      await check(client)
      return statements
    }
    await register(client, 'Hopper')
    await waitUntil(async () => (await countStatements()) <= 8)
    for (let patient = 0; patient < 20; patient++) await register(client, `Number ${patient}`)
    await waitUntil(async () => (await countStatements()) <= 8)
    app.services.pool.off('acquire', count)
    expect((await check(client)).dataEncryption).toMatchObject({ patients: 21, patientsWithKey: 21 })
  })
})

itLong('need action in an installation without https, whose role owns the entries', async () => {
  const app = await startTestApp({ address: 'http://192.0.2.7:3000', isSingleRole: true })
  const { client } = await newOwner(app)
  expect(await check(client)).toMatchObject({
    auditLogging: { isActive: false, refusesChanges: true, isOwnerSeparate: false },
    secureTransmission: { isActive: false, address: 'http://192.0.2.7:3000', isHttps: false },
  })
  await app.dispose()
})
