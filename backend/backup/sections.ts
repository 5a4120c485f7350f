import { z } from 'zod'
import { OperationRefused } from '#runtime/operation-refused.ts'

/** What a backup says of itself before anything else. */
export const Header = z.object({
  createdAt: z.iso.datetime(),
  /** Of the Everchart that made it. */
  version: z.string(),
  /** Where its events were kept. */
  store: z.enum(['postgres', 'eventstoredb']),
  /** The steps its tables had seen. */
  migrations: z.array(z.string()),
  /** What it could read, as `PatientRegistered 1`. */
  events: z.array(z.string()).readonly(),
})
export type Header = z.infer<typeof Header>

const SectionHeading = z.object({ section: z.string(), columns: z.array(z.string()).readonly() })
const Trailer = z.object({ end: z.record(z.string(), z.number()) })

/** One table: its rows as PostgreSQL's COPY writes them, a line each. */
export type Section = { section: string; columns: readonly string[]; rows: AsyncIterable<Buffer> }

const newline = 10
const sectionTerminator = Buffer.from('\n\\.\n')

/** Lines in some bytes. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

const encodeJsonLine = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)

/** The content of a backup: the header, each table, and at the end how many rows each has. */
export async function* writeSections(header: Header, sections: AsyncIterable<Section>): AsyncGenerator<Buffer> {
  yield encodeJsonLine(header)
  const end: Record<string, number> = {}
  for await (const { section, columns, rows } of sections) {
    yield encodeJsonLine({ section, columns })
    let count = 0
    for await (const chunk of rows) {
      count += countLines(chunk)
      yield chunk
    }
    end[section] = count
    // What follows a newline: every row ends with one.
    yield sectionTerminator.subarray(1)
  }
  yield encodeJsonLine({ end })
}

/**
 * Reads the content of a backup again. `onHeader` comes before anything else, then `onSection` for each table, which must
 * read its rows to their end. Answers how many rows each had. Throws OperationRefused when it does not end as it should.
 */
export async function readSections(
  content: AsyncIterable<Buffer>,
  onHeader: (header: Header) => void | Promise<void>,
  onSection: (section: Section) => Promise<void>,
): Promise<Record<string, number>> {
  const chunks = content[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function more(): Promise<void> {
    const { value, done } = await chunks.next()
    if (done) throw new OperationRefused('The backup is cut off or damaged: it ends too early')
    held = held.length === 0 ? value : Buffer.concat([held, value])
  }
  async function line<T>(schema: z.ZodType<T>): Promise<T> {
    let end: number
    while ((end = held.indexOf(newline)) === -1) await more()
    const text = held.subarray(0, end).toString('utf8')
    held = held.subarray(end + 1)
    return schema.parse(JSON.parse(text))
  }
  async function* rows(counted: (lines: number) => void): AsyncGenerator<Buffer> {
    // The line before the first row counts as its beginning: a table may have none.
    held = Buffer.concat([sectionTerminator.subarray(0, 1), held])
    let skip = 1
    for (;;) {
      const at = held.indexOf(sectionTerminator)
      const end = at === -1 ? Math.max(skip, held.length - sectionTerminator.length + 1) : at + 1
      const part = held.subarray(skip, end)
      if (part.length > 0) {
        counted(countLines(part))
        yield part
      }
      if (at !== -1) {
        held = held.subarray(at + sectionTerminator.length)
        return
      }
      held = held.subarray(end - 1)
      skip = 1
      await more()
    }
  }

  try {
    await onHeader(await line(Header))
    const found: Record<string, number> = {}
    for (;;) {
      const next = await line(z.union([SectionHeading, Trailer]))
      if ('end' in next) {
        if (JSON.stringify(next.end) === JSON.stringify(found)) return found
        throw new OperationRefused('The backup is damaged: it does not hold as many rows as it should')
      }
      let count = 0
      await onSection({ ...next, rows: rows((lines) => (count += lines)) })
      found[next.section] = count
    }
  } finally {
    await chunks.return?.(undefined)
  }
}
