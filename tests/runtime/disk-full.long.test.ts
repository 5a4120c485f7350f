import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as DatabaseClient } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { reservedBytes, reservedFile } from '#runtime/reserved-space.ts'
import { createClient } from '#tests/support/client.ts'
import { killAllProcesses, readDatabaseUrl, startEverchart, expectStopped } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'

const mebibyte = 1024 * 1024
/** More than the free space below which health is degraded; the file of the disk is sparse. */
const diskMebibytes = 1_500

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' })

/** Mounts a small disk of its own; null where that is not allowed. */
function mountDisk() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'everchart-disk-'))
  const [image, folder] = [path.join(home, 'image'), path.join(home, 'mounted')]
  try {
    mkdirSync(folder)
    run('truncate', '-s', `${diskMebibytes}M`, image)
    run('mkfs.ext4', '-q', '-m', '0', '-O', '^has_journal', image)
    run('mount', '-o', 'loop', image, folder)
  } catch {
    rmSync(home, { recursive: true })
    return null
  }
  for (const each of [home, folder]) chmodSync(each, 0o711)
  return {
    folder,
    async remove() {
      await killAllProcesses(folder)
      run('umount', '-l', folder)
      rmSync(home, { recursive: true })
    },
  }
}

const disk = process.platform === 'linux' && process.getuid?.() === 0 ? mountDisk() : null
afterAll(() => disk?.remove())

test.skipIf(!disk)(
  'a full disk ends no reading and no process, and writes go on once there is room (needs root and loop devices)',
  async ({ onTestFailed }) => {
    const { folder } = disk as NonNullable<typeof disk>
    const app = startEverchart(folder)
    onTestFailed(() => void process.stderr.write(app.output()))
    const url = await app.ready
    const { client, registration } = await newOwner({ newClient: () => createClient(url) })
    const add = () => client.post('/api/patients', { firstName: 'Ada', lastName: 'Okafor', allowDuplicate: true })
    const health = async () => (await client.get('/api/health')).body
    const filler = path.join(folder, 'filler')
    /** Fills the disk up to some free space, like another program. */
    const leaveFree = async (bytes: number) => {
      rmSync(filler, { force: true })
      const { bavail, bsize } = await statfs(folder)
      run('fallocate', '-l', String(bavail * bsize - bytes), filler)
    }
    const fillCompletely = async () => {
      await leaveFree(8 * mebibyte)
      const writeRest = () => {
        for (;;) appendFileSync(filler, Buffer.alloc(4_096, 'x'))
      }
      expect(writeRest).toThrow('ENOSPC')
    }

    expect((await add()).status).toBe(201)
    await expect.poll(health).toMatchObject({ status: 'ok', storage: { status: 'ok' } })
    await leaveFree(600 * mebibyte)
    await expect.poll(health).toMatchObject({ status: 'degraded', storage: { status: 'low' } })
    expect((await add()).status).toBe(201)

    rmSync(filler)
    // The application reserves space some time after its start, once there is plenty.
    const getReservedBytes = () =>
      stat(reservedFile(folder)).then(
        ({ size }) => size,
        () => 0,
      )
    await expect.poll(getReservedBytes).toBe(reservedBytes)
    await fillCompletely()
    await expect.poll(health).toMatchObject({ status: 'degraded', storage: { status: 'full' } })
    expect(await add()).toMatchObject({ status: 507, problem: { code: 'storage-full' } })
    const other = createClient(url)
    expect(
      (await other.post('/api/login', { email: registration.email, password: registration.password })).status,
    ).toBe(200)
    expect((await other.get('/api/patients')).body).toHaveLength(2)

    // PostgreSQL needs another file for its log and ends; without the reserved space it could not even start again.
    const database = new DatabaseClient({ connectionString: await readDatabaseUrl(folder) })
    database.on('error', () => undefined)
    await database.connect()
    const ended = new Promise((resolve) => database.once('end', resolve))
    const writeLog = async () => {
      for (;;) {
        await database.query(`select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`)
        await sleep(1)
      }
    }
    await expect(writeLog()).rejects.toThrow(Error)
    await ended
    const patients = async () => (await client.get('/api/patients').catch(() => null))?.body
    await expect.poll(patients).toHaveLength(2)
    expect(app.output()).toContain('The disk is full: starting the database in the reserved space')
    expect(app.output()).not.toContain('not yet accepting connections')
    expect((await add()).status).toBe(507)

    rmSync(filler)
    await expect.poll(async () => (await add()).status).toBe(201)
    await expect.poll(health).toMatchObject({ status: 'ok', storage: { status: 'ok' } })
    app.kill('SIGTERM')
    await expectStopped(app)
  },
)
