import { execFile } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { documentedVariables } from '#main/config.ts'
import {
  findDatabaseProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
  waitUntilHealthy,
} from '#tests/support/everchart-process.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

async function refused(given: Record<string, string>): Promise<string> {
  const app = startEverchart(data.folder, given)
  expect((await app.ended).code).toBe(1)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
  return app.output()
}

itLong('--help lists every variable and starts nothing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['build/backend/main.js', '--help'])
  for (const { name } of documentedVariables) expect(stdout).toContain(name)
})

test.runIf(isLongRun)('an unknown argument stops the start with one line', async () => {
  const started = promisify(execFile)(process.execPath, ['build/backend/main.js', '--dmeo'])
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Unknown argument "--dmeo": see npm start -- --help.\n',
  })
})

itLong('an invalid variable stops the start with one line', async () => {
  expect(await refused({ PORT: 'abc' })).toBe('PORT must be a whole number from 0 to 65535, not "abc".\n')
  expect(await refused({ EVENTSTORE_URL: 'mysql://localhost:2113' })).toMatch(/^EVENTSTORE_URL must be [^\n]*\n$/)
})

test.runIf(isLongRun)(
  'a database that refuses the login stops the start with one line without the password',
  async () => {
    const output = await refused({ DATABASE_URL: 'postgres://me:hidden@host.invalid:5432/' })
    expect(output).toMatch(/^DATABASE_URL must be [^\n]+\n$/)
  },
)

test.runIf(isLongRun)('a port in use is reported, and no other port is taken', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  expect(await refused({ PORT: String(port) })).toBe(
    `Port ${port} on 127.0.0.1 is already in use: stop the program that uses it, or set PORT.\n`,
  )
  taken.close()
})

itLong('a second start on the same data folder is refused, and the first keeps running', async () => {
  const first = startEverchart(data.folder)
  const url = await first.ready
  const second = startEverchart(data.folder)
  expect((await second.ended).code).toBe(1)
  expect(second.output()).toBe(
    `Everchart is already running on ${data.folder} (process ${first.pid}): stop it first, or set another DATA_DIR.\n`,
  )
  await waitUntilHealthy(url)
  first.kill('SIGTERM')
  await expectStopped(first)
})

test.runIf(isLongRun)('an incomplete database folder is refused with one line that says what to do', async () => {
  const cluster = path.join(data.folder, 'postgres')
  await mkdir(cluster)
  await writeFile(path.join(cluster, 'PG_VERSION'), '18\n')
  const output = await refused({})
  expect(output).toMatch(
    /^(Starting the database\n)?The database folder \S+ is incomplete \([^\n]+ missing\): restore it[^\n]+\n$/,
  )
})

test.runIf(isLongRun)(
  'a missing password file and a folder of another PostgreSQL version are refused too',
  async () => {
    const app = startEverchart(data.folder)
    await app.ready
    app.kill('SIGTERM')
    await expectStopped(app)
    await writeFile(path.join(data.folder, 'postgres', 'PG_VERSION'), '12\n')
    expect(await refused({})).toContain('was written by PostgreSQL 12')
    await writeFile(path.join(data.folder, 'postgres', 'PG_VERSION'), '18\n')
    await rm(path.join(data.folder, 'postgres-password'))
    expect(await refused({})).toContain('its password file')
  },
)

test.runIf(isLongRun)('a data folder that cannot be created is refused with one line', async () => {
  const file = path.join(data.folder, 'a-file')
  await writeFile(file, '')
  await chmod(file, 0o600)
  expect(await refused({ DATA_DIR: path.join(file, 'below') })).toMatch(/^DATA_DIR \S+ cannot be created: [^\n]+\n$/)
})
