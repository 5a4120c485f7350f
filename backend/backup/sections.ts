import { z } from 'zod'
import { OperationRefused } from '#runtime/operation-refused.ts'

/** The header of a backup. */
export const Header = z.object({
  createdAt: z.iso.datetime(),
  /** Version of Everchart that created it. */
  version: z.string(),
  /** The kind of event store. */
  store: z.enum(['postgres', 'eventstoredb']),
  /** The applied migrations. */
  migrations: z.array(z.string()),
  /** The readable event versions, as `PatientRegistered 1`. */
  events: z.array(z.string()).readonly(),
})
export type Header = z.infer<typeof Header>

const SectionHeading = z.object({ section: z.string(), columns: z.array(z.string()).readonly() })
const Trailer = z.object({ end: z.record(z.string(), z.number()) })

/** One table, with rows in the format of PostgreSQL's COPY, one line each. */
export type Section = { section: string; columns: readonly string[]; rows: AsyncIterable<Buffer> }

const newline = 10
const sectionTerminator = Buffer.from('\n\\.\n')

/** Counts the lines in a buffer. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

const encodeJsonLine = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)

/** Yields the content of a backup: the header, each table, and finally the row count of each. */
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
    // The terminator follows a newline: every row ends with one.
    yield sectionTerminator.subarray(1)
  }
  yield encodeJsonLine({ end })
}

/**
 * Reads the content of a backup. Calls `onHeader` first, then `onSection` for each table, which must read all its rows. Returns
 * the row counts. Throws OperationRefused if the end does not match.
 */
export async function readSections(
  content: AsyncIterable<Buffer>,
  onHeader: (header: Header) => void | Promise<void>,
  onSection: (section: Section) => Promise<void>,
): Promise<Record<string, number>> {
  const chunks = content[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function readMore(): Promise<void> {
    const { value, done } = await chunks.next()
    if (done) throw new OperationRefused('The backup is incomplete or damaged: it ends too early')
    buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value])
  }
  async function readLine<T>(schema: z.ZodType<T>): Promise<T> {
    let end: number
    while ((end = buffered.indexOf(newline)) === -1) await readMore()
    const text = buffered.subarray(0, end).toString('utf8')
    buffered = buffered.subarray(end + 1)
    return schema.parse(JSON.parse(text))
  }
  async function* readRows(onLines: (lines: number) => void): AsyncGenerator<Buffer> {
    // The newline before the first row is kept: a table may have no rows.
    buffered = Buffer.concat([sectionTerminator.subarray(0, 1), buffered])
    let skip = 1
    for (;;) {
      const at = buffered.indexOf(sectionTerminator)
      const end = at === -1 ? Math.max(skip, buffered.length - sectionTerminator.length + 1) : at + 1
      const part = buffered.subarray(skip, end)
      if (part.length > 0) {
        onLines(countLines(part))
        yield part
      }
      if (at !== -1) {
        buffered = buffered.subarray(at + sectionTerminator.length)
        return
      }
      buffered = buffered.subarray(end - 1)
      skip = 1
      await readMore()
    }
  }

  try {
    await onHeader(await readLine(Header))
    const found: Record<string, number> = {}
    for (;;) {
      const next = await readLine(z.union([SectionHeading, Trailer]))
      if ('end' in next) {
        if (JSON.stringify(next.end) === JSON.stringify(found)) return found
        throw new OperationRefused('The backup is damaged: row counts do not match')
      }
      let count = 0
      await onSection({ ...next, rows: readRows((lines) => (count += lines)) })
      found[next.section] = count
    }
  } finally {
    await chunks.return?.(undefined)
  }
}
