import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importFile, importOf, settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { createClient } from '#tests/support/client.ts'
import {
  findDatabaseProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
} from '#tests/support/everchart-process.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'
import { newOwner } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'

let old: Awaited<ReturnType<typeof createTemporaryDataDir>>
let fresh: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => ([old, fresh] = await Promise.all([createTemporaryDataDir(), createTemporaryDataDir()])))
afterEach(() => Promise.all([old.remove(), fresh.remove()]))

const tool = (dataDir: string, name: string, ...args: string[]) => runTool(name, args, { DATA_DIR: dataDir })

const stop = async (app: ReturnType<typeof startEverchart>) => {
  app.kill('SIGTERM')
  await expectStopped(app)
}

itLong('a practice moves to another machine: online backup, restore, sign-in and further work', async () => {
  const file = path.join(old.folder, 'practice.backup')
  const app = startEverchart(old.folder)
  await app.ready
  const owner = await newOwner({ newClient: () => createClient(app.url()) })
  await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  await settled(owner.client, await importFile(owner.client, importOf(40)))
  const before = (await owner.client.get('/api/patients?limit=100')).body

  const made = await tool(old.folder, 'backup', 'backup', file)
  expect([made.err, made.code]).toEqual(['', 0])
  expect(made.out).toMatch(/practice\.backup: \d+ events, \d+ rows of \d+ tables, \d+ pending jobs?, \d+\.\d MiB\n/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(old.folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  const again = await tool(old.folder, 'backup', 'backup', file)
  expect([again.code, again.err]).toEqual([1, `${file} already exists: name another file\n`])
  const inUse = await tool(old.folder, 'backup', 'restore', file)
  expect([inUse.code, inUse.err]).toEqual([
    1,
    'Another client is connected to the database: stop Everchart and everything else that uses it, then restore\n',
  ])
  await stop(app)
  const used = await tool(old.folder, 'backup', 'restore', file)
  expect([used.code, used.err]).toMatchObject([1, expect.stringMatching(/^This installation is in use \([^\n]+\n$/)])

  await mkdir(fresh.folder, { recursive: true })
  for (const secret of ['hash-key', 'master-key'])
    await copyFile(path.join(old.folder, secret), path.join(fresh.folder, secret)).catch(() => undefined)
  const restored = await tool(fresh.folder, 'backup', 'restore', file)
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('read models rebuilt')])
  expect(await findDatabaseProcesses(fresh.folder)).toEqual([])
  const proved = await tool(fresh.folder, 'projections', 'verify', '--all')
  expect([proved.code, proved.out]).toEqual([0, expect.stringMatching(/^patients: all rows are correct/m)])

  const next = startEverchart(fresh.folder)
  await next.ready
  const nextClient = createClient(next.url())
  nextClient.setCookie(owner.client.cookie())
  expect((await nextClient.get('/api/patients')).status).toBe(401)
  const { email, password } = owner.registration
  expect((await nextClient.post('/api/login', { email, password })).status).toBe(200)
  expect((await nextClient.get('/api/patients?limit=100')).body).toEqual(before)
  expect((await nextClient.post('/api/patients', { firstName: 'Ada', lastName: 'Byron' })).status).toBe(201)
  expect((await settled(nextClient, await importFile(nextClient, importOf(3)))).state).toBe('done')
  expect((await nextClient.post('/api/register', { ...owner.registration, username: 'other' })).status).toBe(409)
  await stop(next)
})

itLong('refuses a damaged file in one line and changes nothing', async () => {
  const file = path.join(old.folder, 'damaged')
  await writeFile(file, 'everchart-backup 1\nwhatever')
  const refused = await tool(fresh.folder, 'backup', 'restore', file)
  expect([refused.code, refused.err]).toEqual([1, `${file} is incomplete or damaged: its end is missing\n`])
  expect(await readdir(fresh.folder)).toEqual([])
})

test.runIf(isLongRun).each([
  [['backup'], "missing required argument 'file': npm run backup -- --help prints the usage"],
  [
    ['restore', 'a', 'b'],
    'too many arguments. Expected 1 argument but got 2: a, b: npm run restore -- --help prints the usage',
  ],
  [['restore', '--force', 'a'], "unknown option '--force': npm run restore -- --help prints the usage"],
])('refuses nonsense in one line: %j', async (words, line) => {
  expect(await tool(fresh.folder, 'backup', ...words)).toEqual({ code: 2, out: '', err: `${line}\n` })
  expect(await readdir(fresh.folder)).toEqual([])
})

itLong('--help describes the tool', async () => {
  const { code, out } = await tool(fresh.folder, 'backup', 'restore', '--help')
  expect([code, out]).toEqual([0, expect.stringContaining('Usage: npm run restore -- [options] <file>')])
  expect(await readFile('package.json', 'utf8')).toContain('"restore": "node backend/cli/backup.ts restore"')
})
