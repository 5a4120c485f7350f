import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'

describe('the embedded database, killed while it is needed', () => {
  let folder: string
  let database: EmbeddedPostgres
  let said: string[]
  let lost: string[]

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-embedded-'))
    said = []
    lost = []
    database = await startEmbeddedPostgres({
      dataDir: folder,
      log: (line) => said.push(line),
      onLost: (reason) => lost.push(reason),
      extraFlags: ['fsync=off'],
    })
  })
  afterEach(async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const settings = () => path.join(folder, 'postgres', 'postgresql.conf')
  /** Counts the logged reasons; a reason that stays the same is logged once. */
  const countReasons = () => said.filter((line) => line.includes('; retrying')).length

  async function answers(): Promise<void> {
    const client = new Client({ connectionString: database.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.end()
  }

  it('is restarted when the first attempt fails, and recovers', async () => {
    const usual = await readFile(settings(), 'utf8')
    await appendFile(settings(), '\nno_such_setting = 1\n')
    process.kill(database.pid(), 'SIGKILL')
    await expect.poll(countReasons).toBeGreaterThan(0)
    await writeFile(settings(), usual)
    await vi.waitFor(answers, { timeout: 100_000 })
    expect(lost).toEqual([])
  })

  it('reports the reason when every restart fails, and logs it once', async () => {
    await appendFile(settings(), '\nno_such_setting = 1\n')
    process.kill(database.pid(), 'SIGKILL')
    await expect.poll(() => lost).toHaveLength(1)
    expect(lost[0]).toContain('configuration file')
    expect(countReasons()).toBe(1)
  })

  it('can be stopped between two restarts', async () => {
    await appendFile(settings(), '\nno_such_setting = 1\n')
    process.kill(database.pid(), 'SIGKILL')
    await expect.poll(countReasons).toBe(1)
    await database.stop()
    await expect(answers()).rejects.toThrow('ECONNREFUSED')
    expect([countReasons(), lost]).toEqual([1, []])
  })
})
