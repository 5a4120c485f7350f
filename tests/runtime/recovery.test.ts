import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadContracts } from '#http/api-docs/contracts.ts'
import { createApiDocument } from '#http/api-docs/document.ts'
import {
  findDatabaseProcesses,
  type EverchartProcess,
  killAllProcesses,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
  waitUntilHealthy,
} from '#tests/support/everchart-process.ts'
import { isLongRun } from '#tests/support/long.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

const inData = (...names: string[]) => path.join(data.folder, ...names)
const pidFile = () => inData('postgres', 'postmaster.pid')
const postmaster = async () => Number((await readFile(pidFile(), 'utf8')).split('\n')[0])

async function inDatabase(statement: string): Promise<unknown[]> {
  const password = await readFile(inData('postgres-password'), 'utf8')
  const port = Number(await readFile(inData('postgres-port'), 'utf8'))
  const client = new Client({ host: '127.0.0.1', port, user: 'everchart', password, database: 'everchart' })
  await client.connect()
  try {
    return (await client.query(statement)).rows as unknown[]
  } finally {
    await client.end()
  }
}

/** Waits until everything works, including the job queue: health would be degraded otherwise. */
const healthy = async (app: EverchartProcess) => await waitUntilHealthy(await app.ready)

async function stop(app: EverchartProcess): Promise<void> {
  app.kill('SIGTERM')
  await expectStopped(app)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
}

/** Expects the bundle to read the description of its API, and the page that shows it, from the installation. */
async function expectDescription(app: EverchartProcess): Promise<void> {
  const read = async (address: string) => (await fetch(`${app.url()}${address}`)).text()
  const { paths } = JSON.parse(await read('/api/openapi.json')) as ReturnType<typeof createApiDocument>
  const all = createApiDocument(await loadContracts(), () => true)
  expect(Object.keys(paths ?? {}).length).toBeGreaterThan(100)
  expect(all.paths).toMatchObject(paths ?? {})
  expect(await read('/api/docs/swagger-ui.css')).toContain('.swagger-ui')
}

test('the bundle describes its API; after kill -9 of everything, the next start recovers and keeps what was written', async () => {
  const first = startEverchart(data.folder)
  await healthy(first)
  await expectDescription(first)
  await inDatabase('create table kept as select 42 as answer')
  await killAllProcesses(data.folder)
  await first.ended

  const second = startEverchart(data.folder)
  await healthy(second)
  expect(await inDatabase('select answer from kept')).toEqual([{ answer: 42 }])
  await stop(second)
})

test.runIf(isLongRun)('a database that outlived its application is stopped and restarted', async () => {
  const first = startEverchart(data.folder)
  await healthy(first)
  const orphan = await postmaster()
  first.kill('SIGKILL')
  await first.ended
  expect(await findDatabaseProcesses(data.folder)).toContain(orphan)

  const second = startEverchart(data.folder)
  await healthy(second)
  expect(await postmaster()).not.toBe(orphan)
  expect(await findDatabaseProcesses(data.folder)).not.toContain(orphan)
  await stop(second)
})

test.runIf(isLongRun)(
  'a postmaster.pid whose process id belongs to another program is ignored, and that program is not killed',
  async () => {
    const first = startEverchart(data.folder)
    await healthy(first)
    const old = await readFile(pidFile(), 'utf8')
    await stop(first)
    // The process of this test stands for a program that got the id after a reboot.
    await writeFile(pidFile(), old.replace(/^\d+/, String(process.pid)))

    const second = startEverchart(data.folder)
    await healthy(second)
    expect(await postmaster()).not.toBe(process.pid)
    await stop(second)
  },
)

test.runIf(isLongRun)('the database takes another port when the previous one is in use', async () => {
  const first = startEverchart(data.folder)
  await healthy(first)
  await stop(first)
  const port = Number(await readFile(inData('postgres-port'), 'utf8'))
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))

  const second = startEverchart(data.folder)
  await healthy(second)
  expect(Number(await readFile(inData('postgres-port'), 'utf8'))).not.toBe(port)
  await stop(second)
  taken.close()
})

test.runIf(isLongRun)('a first start that was killed during initdb starts over', async () => {
  await mkdir(inData('postgres.unfinished', 'base'), { recursive: true })
  await writeFile(inData('postgres.unfinished', 'PG_VERSION'), '18\n')
  await writeFile(inData('postgres-password'), 'of the start that was killed', { mode: 0o600 })
  const app = startEverchart(data.folder)
  await healthy(app)
  expect(await readdir(data.folder)).not.toContain('postgres.unfinished')
  await stop(app)
})

test.runIf(isLongRun && process.getuid?.() === 0)(
  'root keeps its data in a folder that only root can read',
  async () => {
    await chmod(data.folder, 0o700)
    const app = startEverchart(data.folder)
    await healthy(app)
    await stop(app)
    expect((await stat(data.folder)).mode & 0o777).toBe(0o700)
  },
)

test('a database killed while the application runs is restarted', async () => {
  const app = startEverchart(data.folder)
  await healthy(app)
  const killed = await postmaster()
  process.kill(killed, 'SIGKILL')
  const back = async () => {
    const { status } = await fetch(`${app.url()}/api/health`)
    return status === 200 && (await postmaster().catch(() => killed)) !== killed
  }
  await expect.poll(back, { interval: 100 }).toBe(true)
  expect(app.output()).toContain('The database ended unexpectedly; restarting it')
  await stop(app)
})
