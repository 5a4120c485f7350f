import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computeFingerprint, type Key, generateKey, parseKey } from '#encryption/cipher.ts'
import { openPool } from '#database/pool.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { type EverchartProcess, startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
let database: TestDatabase
let elsewhere: string
let email: string

const settings = () => ({ DATA_DIR: data.folder, DATABASE_URL: database.url })
const tool = (name: string, args: string[], env: Record<string, string> = {}) =>
  runTool(name, args, { ...settings(), ...env })
const keys = (...args: string[]) => tool('keys', args)
const keyFile = () => path.join(data.folder, 'master-key')
const listKeyFiles = async () => (await readdir(data.folder)).filter((name) => /key|secret/.test(name)).toSorted()

async function running<Result>(
  env: Record<string, string>,
  run: (app: EverchartProcess, client: Client) => Promise<Result>,
) {
  const app = startEverchart(data.folder, { ...settings(), ...env })
  try {
    await app.ready
    return await run(app, createClient(app.url()))
  } finally {
    app.kill('SIGTERM')
    await app.ended
  }
}

/** Signs in, which needs the hash key, and reads and writes patients, which needs the data keys. */
const worksWith = (env: Record<string, string>, added: string) =>
  running(env, async (_, client) => {
    expect((await client.post('/api/login', { email, password })).status).toBe(200)
    expect((await client.post('/api/patients', { firstName: added, lastName: 'Tester' })).status).toBe(201)
    const patients = (await client.get('/api/patients')).body as { id: string; firstName: string }[]
    const [{ id } = { id: '' }] = patients
    expect((await client.patch(`/api/patients/${id}`, { notes: added })).status).toBe(200)
    return patients.map(({ firstName }) => firstName).toSorted()
  })

const newest = () => readFile(path.join(elsewhere, 'newest'), 'utf8')

async function query<Row extends object>(text: string): Promise<Row[]> {
  const pool = openPool(database.url, 1)
  try {
    return (await pool.query<Row>(text)).rows
  } finally {
    await pool.end()
  }
}

/** Expects the application and every tool that needs the keys to refuse to start. */
async function refusals(env: Record<string, string> = {}): Promise<string[]> {
  const app = startEverchart(data.folder, { ...settings(), ...env })
  expect((await app.ended).code).toBe(1)
  const tools = await Promise.all([
    tool('keys', ['list'], env),
    tool('projections', ['list'], env),
    tool('events', ['search', '--reveal'], env),
  ])
  for (const { code, out } of tools) expect([code, out]).toEqual([1, ''])
  return [app.output().replace('Preparing tables and read models\n', ''), ...tools.map(({ err }) => err)]
}

beforeAll(async () => {
  data = await createTemporaryDataDir()
  database = await createTestDatabase()
  elsewhere = await mkdtemp(path.join(os.tmpdir(), 'everchart-keys-'))
  await running({}, async (app) => {
    const owner = await newOwner({ newClient: () => createClient(app.url()) })
    email = owner.registration.email
    expect((await owner.client.post('/api/patients', { firstName: 'Ada', lastName: 'Tester' })).status).toBe(201)
  })
})
afterAll(async () => {
  await data.remove()
  await database.drop()
  await rm(elsewhere, { recursive: true, force: true })
})

it.runIf(isLongRun)(
  'the master key is created once, readable by its owner only; the hash key is stored encrypted in the database only',
  async () => {
    expect(await listKeyFiles()).toEqual(['master-key', 'session-secret', 'webhook-secret'])
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
    const listed = JSON.parse((await keys('list', '--json')).out) as { masterKey: string; keys: number }
    const key = parseKey(await readFile(keyFile(), 'utf8')) as Key
    expect(listed).toMatchObject({ masterKey: computeFingerprint(key), keys: 1, destroyed: [] })
    expect((await keys()).out).toContain(computeFingerprint(key))
    const secrets = await query<{ name: string }>('select name from app.installation order by name')
    expect(secrets.map(({ name }) => name)).toEqual(['hash-key', 'hash-key-encrypted', 'master-key'])
  },
)

describe('with existing data', () => {
  it.runIf(isLongRun)('a missing master key stops every process with one line, and no new one is created', async () => {
    await rename(keyFile(), path.join(elsewhere, 'master-key'))
    for (const line of await refusals())
      expect(line).toMatch(/^MASTER_KEY is missing: set it, or restore the file \S+master-key\. [^\n]+\n$/)
    expect(await listKeyFiles()).toEqual(['session-secret', 'webhook-secret'])
    await rename(path.join(elsewhere, 'master-key'), keyFile())
  })

  it.runIf(isLongRun)('a wrong master key does too', async () => {
    for (const line of await refusals({ MASTER_KEY: generateKey().export().toString('hex') }))
      expect(line).toMatch(/^MASTER_KEY \([^\n]+\) is not the one this database is encrypted with: [^\n]+\n$/)
    for (const [text, said] of [
      ['short', /^The secret in \S+master-key is damaged: [^\n]+\n$/],
      ['x'.repeat(50), /^The secret in \S+master-key is damaged: [^\n]+\n$/],
    ] as const) {
      await rename(keyFile(), path.join(elsewhere, 'master-key'))
      await writeFile(keyFile(), text)
      expect(await keys('list')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(said) })
      await rename(path.join(elsewhere, 'master-key'), keyFile())
    }
  })

  it.runIf(isLongRun)('a wrong hash key does too, and is not stored', async () => {
    for (const line of await refusals({ HASH_KEY: 'another hash key, long enough to be one' }))
      expect(line).toMatch(/^HASH_KEY \([^\n]+\) is not the one this database was created with[^\n]+\n$/)
    expect(await worksWith({}, 'Ben')).toEqual(['Ada', 'Ben'])
  })

  itLong('events are shown masked without keys', async () => {
    await rename(keyFile(), path.join(elsewhere, 'master-key'))
    const { code, out } = await tool('events', ['search', '--type', 'PatientRegistered'])
    expect(code).toBe(0)
    expect(JSON.parse(out.split('\n')[0] ?? '').data).toMatchObject({ firstName: '[hidden]', importId: null })
    expect(out).not.toMatch(/\$phi|Ada/)
    await rename(path.join(elsewhere, 'master-key'), keyFile())
  })
})

describe('a rotation of the master key', () => {
  const wrapped = () =>
    query<{ subject: string; wrapped: string }>(
      'select subject, wrapped_key::text as wrapped from app.data_keys order by 1',
    )

  it.runIf(isLongRun)('is refused while Everchart runs', async () => {
    const refused = await running({}, async () => keys('rotate'))
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Everchart is running[^\n]+\n$/) })
    expect(await listKeyFiles()).toEqual(['master-key', 'session-secret', 'webhook-secret'])
  })

  it('rewraps every data key without changing it, and keeps the old master key for old backups', async () => {
    const [before, old] = [await wrapped(), await readFile(keyFile(), 'utf8')]
    const done = await keys('rotate')
    expect([done.err, done.code]).toEqual(['', 0])
    const count = before.length === 1 ? '1 data key' : `${before.length} data keys`
    expect(done.out).toMatch(new RegExp(`^${count} and the hash key are encrypted with the master key [0-9a-f]{16}\n`))
    const after = await wrapped()
    expect(after.map(({ subject }) => subject)).toEqual(before.map(({ subject }) => subject))
    expect(after.filter((row, index) => row.wrapped === before[index]?.wrapped)).toEqual([])
    const print = computeFingerprint(parseKey(old) as Key)
    expect(await listKeyFiles()).toEqual(['master-key', `master-key.${print}`, 'session-secret', 'webhook-secret'])
    expect(await readFile(`${keyFile()}.${print}`, 'utf8')).toBe(old)
    expect(await worksWith({}, 'Cleo')).toEqual(isLongRun ? ['Ada', 'Ben', 'Cleo'] : ['Ada', 'Cleo'])
  })

  it.runIf(isLongRun)('resumes after a kill before the key file was replaced', async () => {
    const old = await readFile(keyFile(), 'utf8')
    expect((await keys('rotate')).code).toBe(0)
    await rename(keyFile(), `${keyFile()}.next`)
    await writeFile(keyFile(), old, { mode: 0o600 })
    expect(await worksWith({}, 'Dora')).toEqual(['Ada', 'Ben', 'Cleo', 'Dora'])
    expect(await listKeyFiles()).not.toContain('master-key.next')
  })

  it.runIf(isLongRun)('reads the new key from a file or a variable when keys are configured', async () => {
    const first = await readFile(keyFile(), 'utf8')
    const [second, third] = [generateKey().export().toString('base64'), generateKey().export().toString('hex')]
    await writeFile(path.join(elsewhere, 'second'), `${second}\n`)
    const byFile = await tool('keys', ['rotate', '--to', path.join(elsewhere, 'second')], { MASTER_KEY: first })
    expect([byFile.err, byFile.code]).toEqual(['', 0])
    expect(byFile.out).toContain('Now set MASTER_KEY to the new key')
    const byVariable = await tool('keys', ['rotate'], { MASTER_KEY: second, MASTER_KEY_NEXT: third })
    expect([byVariable.err, byVariable.code]).toEqual(['', 0])
    const again = await tool('keys', ['rotate'], { MASTER_KEY: second, MASTER_KEY_NEXT: third })
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('already') })
    expect(await worksWith({ MASTER_KEY: third }, 'Emil')).toContain('Ada')
    await writeFile(path.join(elsewhere, 'newest'), third)
    for (const line of await refusals({ MASTER_KEY: second })) expect(line).toContain('is not the one')
  })
})

it.runIf(isLongRun)('a patient is erased while Everchart does not run', async () => {
  const MASTER_KEY = await newest()
  const [ada] = await query<{ id: string }>(`select id from read.patients where first_name = 'Ada'`)
  const erased = await tool('keys', ['destroy', ada?.id ?? '', '--why', 'asked for in writing', '--yes'], {
    MASTER_KEY,
  })
  expect([erased.err, erased.code]).toEqual(['', 0])
  const proved = await tool('projections', ['verify', '--all'], { MASTER_KEY })
  expect([proved.err, proved.code]).toEqual(['', 0])
  const left = await query<{ first_name: string }>('select first_name from read.patients')
  expect(left.map((patient) => patient.first_name)).not.toContain('Ada')
})

describe('on the command line', () => {
  itLong('prints its help', async () => {
    expect(await keys('destroy', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--why') })
  })

  const set = { MASTER_KEY: generateKey().export().toString('hex') }
  it.runIf(isLongRun).each([
    [['dance'], {}],
    [['list', 'a', 'b'], {}],
    [['list', '--yes'], {}],
    [['list', '--colour'], {}],
    [['rotate', 'now'], {}],
    [['rotate'], set],
    [['rotate', '--to', '/nowhere/at/all'], {}],
    [['rotate'], { ...set, MASTER_KEY_NEXT: 'hidden' }],
    [['rotate'], { ...set, MASTER_KEY_NEXT: set.MASTER_KEY }],
    [['rotate', '--to', '/dev/null'], { MASTER_KEY_NEXT: set.MASTER_KEY }],
    [['destroy'], {}],
    [['destroy', 'unknown', '--why', 'x'], {}],
    [['destroy', crypto.randomUUID()], {}],
    [['destroy', crypto.randomUUID(), '--why', ' '], {}],
  ])('refuses nonsense in one line: %j', async (args, env) => {
    const { code, out, err } = await tool('keys', args, env)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^(?!.*hidden)[^\n]+\n$/)
  })
})
