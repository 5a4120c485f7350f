import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Header, readSections, type Section, writeSections } from '#backup/sections.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

const header: Header = {
  createdAt: '2026-11-20T08:00:00.000Z',
  version: '1',
  store: 'postgres',
  migrations: [],
  events: [],
}

async function* splitAt(content: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...new Set(cuts.map((cut) => cut % (content.length + 1)))].toSorted((a, b) => a - b)
  for (const [index, end] of [...ends, content.length].entries()) yield content.subarray(ends[index - 1] ?? 0, end)
}

/** Rows as COPY writes them: every backslash is escaped, so that no row looks like the end of a table. */
const row = fc.array(fc.oneof(fc.string(), fc.constantFrom('\\\\.', '\\N', '.', '')), { maxLength: 4 }).map(
  (fields) =>
    `${fields
      .map((field) => field.replaceAll(/[\n\r\t]/g, ' '))
      .join('\t')
      .replaceAll(/^\\\.$/g, '\\\\.')}\n`,
)
const table = fc.array(row, { maxLength: 6 })
const tables = fc.array(table, { maxLength: 4 })

async function writeContent(rows: readonly (readonly string[])[], cuts: readonly number[]): Promise<Buffer> {
  async function* sections(): AsyncGenerator<Section> {
    for (const [index, lines] of rows.entries())
      yield { section: `app.t${index}`, columns: ['a'], rows: splitAt(Buffer.from(lines.join('')), cuts) }
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeSections(header, sections())) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function readBack(content: AsyncIterable<Buffer>) {
  const found: string[] = []
  const counts = await readSections(
    content,
    (read) => expect(read).toEqual(header),
    async ({ rows }) => {
      const chunks: Buffer[] = []
      for await (const chunk of rows) chunks.push(chunk)
      found.push(Buffer.concat(chunks).toString())
    },
  )
  return { found, counts: Object.values(counts) }
}

it('reads back what was written, however the stream is chunked', async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.array(fc.nat()), fc.array(fc.nat()), async (rows, cuts, others) => {
      const content = await writeContent(rows, cuts)
      const { found, counts } = await readBack(splitAt(content, others))
      expect(found).toEqual(rows.map((lines) => lines.join('')))
      expect(counts).toEqual(rows.map((lines) => lines.length))
    }),
    { numRuns: 500 },
  )
})

it('detects a missing row and a missing end', async () => {
  const content = (await writeContent([['a\n', 'b\n'], []], [])).toString()
  await expect(readBack(splitAt(Buffer.from(content.replace('b\n', '')), []))).rejects.toThrow(
    'row counts do not match',
  )
  for (let length = 0; length < content.length; length++)
    await expect(readBack(splitAt(Buffer.from(content.slice(0, length)), []))).rejects.toBeInstanceOf(OperationRefused)
})
