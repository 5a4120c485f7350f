import { randomUUID } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modules } from '#main/modules.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { listProjections } from '#projections/status.ts'
import { migrate } from '#database/migrations.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { importFile, importOf, settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { newOwner, newUser } from '#tests/support/practice.ts'
import { startTestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { known, load, onPool, save, temporaryFolder } from './backups.ts'
import { itLong } from '#tests/support/long.ts'

const projections = modules.flatMap((module) => module.projections ?? [])
/** A table that takes its ids from a sequence. */
const identityTable = {
  id: 'test-counting',
  sql: 'create table app.counting (id bigint generated always as identity, what text)',
}

describe('a backup of a practice', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  const databases: TestDatabase[] = []
  const createDatabase = async () => {
    const database = await createTestDatabase()
    databases.push(database)
    return database.url
  }
  beforeAll(async () => (folder = await temporaryFolder()))
  afterAll(async () => {
    for (const { drop } of databases) await drop()
    await folder.remove()
  })
  const openBoss = async (url: string) => {
    const boss = new PgBoss({ connectionString: url, max: 1, schema: 'jobs', supervise: false, schedule: false })
    return await boss.start()
  }
  const tables = ['app.credentials', 'app.attempts', 'app.migrations', 'app.import_files']
  const readContent = (url: string) =>
    onPool(url, async (pool) => {
      const store = await openPostgresStore(pool)
      const events = await readAllEvents(store)
      await store.close()
      const rows = await Promise.all(tables.map((table) => pool.query(`select t::text from ${table} t order by 1`)))
      return { events, rows: rows.map((result) => result.rows as unknown[]) }
    })

  it('restores every event byte for byte, the accounts and the next position', async () => {
    const [from, to] = [await createDatabase(), await createDatabase()]
    const app = await startTestApp({ databaseUrl: from })
    const { client, registration } = await newOwner(app)
    await client.post('/api/patients', { firstName: 'Zoë\t"Ω"', lastName: 'O\\Brien', notes: 'a\nb\\.\n\\.\n' })
    await settled(client, await importFile(client, importOf(20)))
    await migrate(app.services.pool, [identityTable])
    await app.services.pool.query(`insert into app.counting (what) values ('a'), ('b')`)
    // A checkpoint without a table, three events behind the head.
    const behind = `pg-${String((await readAllEvents(app.services.store)).length - 3).padStart(19, '0')}`
    const follows = `insert into read.checkpoints (name, version, position) values ('reacts\\"x', 1, $1), ('new', 1, null)`
    await app.services.pool.query(follows, [behind])
    const patients = (await client.get('/api/patients')).body
    await app.stopInstance()

    const saved = await save(from, folder.file('whole'))
    const checked = await load(to, folder.file('whole'), { migrations: [...known.migrations, identityTable] })
    expect(checked.rows).toEqual(saved.rows)
    expect(saved.rows).toMatchObject({ 'app.credentials': 1, 'app.counting': 2 })
    expect(Object.keys(saved.rows)).not.toContain('app.sessions')
    const [before, after] = [await readContent(from), await readContent(to)]
    expect(after).toEqual(before)
    expect(before.events.length).toBe(saved.rows['es.events'])
    const checkpoints = await onPool(to, (pool) => pool.query('select name, version, position from read.checkpoints'))
    const ours = app.services.modules.flatMap(({ processManagers = [] }) => processManagers).map(({ name }) => name)
    expect(checkpoints.rows.filter(({ name }) => !ours.includes(name))).toEqual([
      { name: 'new', version: 1, position: null },
      { name: 'reacts\\"x', version: 1, position: behind },
    ])

    const again = await startTestApp({ databaseUrl: to })
    const newClient = again.newClient()
    newClient.setCookie(client.cookie())
    expect((await newClient.get('/api/patients')).status).toBe(401)
    const { email, password } = registration
    expect((await newClient.post('/api/login', { email, password })).status).toBe(200)
    expect((await newClient.get('/api/patients')).body).toEqual(patients)
    expect((await newClient.post('/api/patients', { firstName: 'Next', lastName: 'One' })).status).toBe(201)
    const now = (await readContent(to)).events
    expect(now.slice(0, before.events.length)).toEqual(before.events)
    const numbers = now.map(({ position }) => Number(position.slice(3)))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    for (const projection of projections)
      expect(await verifyProjection(again.services, projection, {})).toMatchObject({ differences: 0 })
    expect(new Set((await listProjections(again.services, projections)).map(({ state }) => state))).toEqual(
      new Set(['running']),
    )
    const { rows } = await again.services.pool.query(`insert into app.counting (what) values ('c') returning id`)
    expect(rows).toEqual([{ id: '3' }])
    await again.stopInstance()
  })

  itLong('resumes a running import and keeps jobs with their start times', async () => {
    const [from, to] = [await createDatabase(), await createDatabase()]
    const app = await startTestApp({ databaseUrl: from })
    const boss = await openBoss(from)
    await boss.createQueue('gone-wrong')
    await boss.createQueue('reminders', { deadLetter: 'gone-wrong', retryLimit: 7, retryBackoff: true })
    const startAfter = new Date('2031-01-02T03:04:05.000Z')
    const reminder = await boss.send('reminders', { text: 'a\\b\n"c"' }, { startAfter, singletonKey: 'k' })
    await boss.send('reminders', { done: true })
    const [done] = await boss.fetch('reminders')
    await boss.complete('reminders', done?.id ?? '')
    const failed = await boss.send('reminders', { failed: true }, { retryLimit: 0, priority: 1 })
    await boss.fetch('reminders')
    await boss.fail('reminders', failed ?? '')
    await boss.stop()
    const { client, registration } = await newOwner(app)
    const importId = await importFile(client, importOf(450))
    const saved = await save(from, folder.file('waiting'))
    expect(saved.rows).toMatchObject({ 'app.import_files': 1 })
    await app.stopInstance()

    await load(to, folder.file('waiting'))
    const again = await startTestApp({ databaseUrl: to })
    const newClient = again.newClient()
    const { email, password } = registration
    await newClient.post('/api/login', { email, password })
    expect(await settled(newClient, importId)).toMatchObject({ state: 'done', created: 450 })
    const after = await openBoss(to)
    const waiting = await after.findJobs('reminders')
    expect(waiting.toSorted((a, b) => a.priority - b.priority)).toMatchObject([
      { id: reminder, data: { text: 'a\\b\n"c"' }, startAfter, singletonKey: 'k', state: 'created', retryCount: 0 },
      // It had failed for good and was not yet a dead letter: it is retried.
      { id: failed, data: { failed: true }, state: 'created' },
    ])
    expect(await after.getQueue('reminders')).toMatchObject({
      deadLetter: 'gone-wrong',
      retryLimit: 7,
      retryBackoff: true,
    })
    await after.stop()
    await again.stopInstance()
  })

  itLong('is a consistent snapshot while users keep writing', async () => {
    const [from, to] = [await createDatabase(), await createDatabase()]
    const app = await startTestApp({ databaseUrl: from })
    let stop = false
    const writers = [1, 2, 3].map(async () => {
      for (let count = 0; !stop || count < 3; count++) await newUser(app)
    })
    const countEvents = async () => Number((await app.services.store.head())?.slice(3) ?? 0)
    for (const start = await countEvents(); (await countEvents()) < start + 20;);
    const { rows } = await save(from, folder.file('beside'))
    for (const start = await countEvents(); (await countEvents()) < start + 20;);
    stop = true
    await Promise.all(writers)
    const all = await readAllEvents(app.services.store)
    await app.stopInstance()

    await load(to, folder.file('beside'))
    const { events, rows: restored } = await readContent(to)
    expect(events).toEqual(all.slice(0, rows['es.events']))
    expect(events.length).toBeLessThan(all.length)
    // A password is stored before its account event: none may be missing, and only accounts under way may have an extra one.
    const users = events.filter(({ type }) => type === 'UserRegistered').map(({ data }) => data['userId'])
    const passwords = (restored[0] as { t: string }[]).map(({ t }) => t.slice(1, 37))
    expect(users.filter((id) => !passwords.includes(String(id)))).toEqual([])
    expect(passwords.length).toBeLessThanOrEqual(users.length + writers.length)
  })

  itLong('restores events of an external event store in order, byte for byte', async () => {
    const [from, to] = [await createDatabase(), await createDatabase()]
    await (await startTestApp({ databaseUrl: from })).stopInstance()
    const reacts = `insert into read.checkpoints (name, version, position) values ('reacts', 4, 'memory-000000000007')`
    await onPool(from, (pool) => pool.query(reacts))
    const externalStore = createMemoryStore()
    const odd = ['\t', '\\', '\\.', 'a\nb', '\r\n', '\\N', '"', 'Ω😀', '\u2028', '']
    for (const [index, text] of odd.entries())
      await externalStore.append(`odd-${index % 3}`, index < 3 ? 'no-stream' : BigInt(Math.floor(index / 3) - 1), [
        newEvent('Odd', { text, list: odd.slice(0, index) }, { id: randomUUID() }),
      ])
    const { rows } = await save(from, folder.file('elsewhere'), { externalStore })
    expect(rows['es.events']).toBe(odd.length)
    await load(to, folder.file('elsewhere'))
    const plain = ({ position: _, ...event }: Awaited<ReturnType<typeof readAllEvents>>[number]) => event
    expect((await readContent(to)).events.map(plain)).toEqual((await readAllEvents(externalStore)).map(plain))
    const checkpoints = await onPool(to, (pool) => pool.query('select name, version, position from read.checkpoints'))
    expect(checkpoints.rows).toContainEqual({ name: 'reacts', version: 4, position: 'pg-0000000000000000007' })
  })
})
