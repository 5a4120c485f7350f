import { randomBytes, randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { Client as Database } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createArchiveWriter, openArchive } from '#modules/data-exports/archive.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
let database: Database
beforeAll(async () => {
  app = await startTestApp()
  database = new Database({ connectionString: app.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await app?.dispose()
})

const newFile = () => ({ exportId: randomUUID(), fileId: randomUUID() })

async function readAll(file: ReturnType<typeof newFile>): Promise<Buffer | null> {
  const archive = await openArchive(app.services, file)
  if (!archive) return null
  const pieces: Uint8Array[] = []
  for await (const piece of archive) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Writes two large files side by side, which hardly compress, and an empty one. */
async function writeLarge(file: ReturnType<typeof newFile>) {
  const writer = createArchiveWriter(app.services, file)
  const entries = ['one.txt', 'two.txt'].map((name) => ({ name, entry: writer.addEntry(name), text: '' }))
  writer.addEntry('empty.txt')
  for (let page = 0; page < 40; page++)
    for (const entry of entries) {
      // Characters of several bytes, so that no length is one of characters.
      const text = `${randomBytes(30_000).toString('base64')}李🩺\n`
      entry.text += text
      await entry.entry.write(text)
    }
  const bytes = await writer.finish(new Date('2031-03-05T09:00:00.000Z'))
  return { bytes, texts: Object.fromEntries([...entries.map(({ name, text }) => [name, text]), ['empty.txt', '']]) }
}

it('returns what was written, in pieces of a limited size', async () => {
  const file = newFile()
  const { bytes, texts } = await writeLarge(file)
  const archive = await readAll(file)
  expect(archive?.length).toBe(bytes)
  const read = Object.entries(unzipSync(new Uint8Array(archive ?? [])))
  expect(Object.fromEntries(read.map(([name, content]) => [name, Buffer.from(content).toString()]))).toEqual(texts)
  const { rows } = await database.query<{ pieces: number; largest: number }>(
    `select count(*)::int as pieces, max(octet_length(content)) as largest from app.data_export_chunks where file_id = $1`,
    [file.fileId],
  )
  expect(rows[0]?.pieces).toBeGreaterThan(8)
  expect(rows[0]?.largest).toBeLessThan(512 * 1024)
})

it('refuses a piece that was moved, and a file without its key', async () => {
  const [file, other] = [newFile(), newFile()]
  await writeLarge(file)
  await writeLarge(other)
  await database.query(
    `update app.data_export_chunks as c set content = o.content from app.data_export_chunks as o
     where c.file_id = $1 and o.file_id = $1 and c.entry = 1 and c.number = 1 and o.entry = 2 and o.number = 1`,
    [file.fileId],
  )
  await expect(readAll(file)).rejects.toThrow('A piece of a data export is missing')
  await app.services.keyStore.destroy(other.exportId)
  expect(await readAll(other)).toBeNull()
})
