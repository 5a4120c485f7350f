import { crc32 } from 'node:zlib'
import { Deflate, Zip, type ZipInputFile } from 'fflate'
import { z } from 'zod'
import { NonRetryableError } from '#jobs/job.ts'
import type { Services } from '#modules/module.ts'
import { createChunkWriter, type FileAddress, readChunk } from './file-store.ts'

/** The code of an error: the archive would be larger than the format without its 64-bit extension allows. */
export const tooLarge = 'too-large'

const maxBytes = 0xff_ff_ff_ff
/** Compressed bytes of a stored piece. A file is written and read in such pieces, so that memory does not grow with it. */
const chunkBytes = 256 * 1024
/** Characters that are compressed at once. */
const maxBufferedChars = 64 * 1024

const Entry = z.strictObject({
  name: z.string(),
  size: z.int(),
  compressedSize: z.int(),
  crc: z.int(),
  chunks: z.int(),
})
type Entry = z.infer<typeof Entry>
const Directory = z.strictObject({ writtenAt: z.iso.datetime(), entries: z.array(Entry) })
type Directory = z.infer<typeof Directory>

/** A text file of the archive that is being written. */
export type EntryWriter = { write(text: string): Promise<void> }

/** Writes text files side by side, each of them compressed, for one archive. */
export type ArchiveWriter = {
  addEntry(name: string): EntryWriter
  /** Completes the archive and returns its size. */
  finish(writtenAt: Date): Promise<number>
}

/** Creates a writer that stores its files as encrypted pieces. */
export function createArchiveWriter(services: Pick<Services, 'pool' | 'keyStore'>, file: FileAddress): ArchiveWriter {
  const storeChunk = createChunkWriter(services, file)
  const writers: ReturnType<typeof createEntry>[] = []
  return {
    addEntry(name) {
      const number = writers.length + 1
      const writer = createEntry(name, (chunk, content) => storeChunk(number, chunk, content))
      writers.push(writer)
      return writer
    },
    async finish(writtenAt) {
      const entries: Entry[] = []
      for (const writer of writers) entries.push(await writer.close())
      const directory: Directory = { writtenAt: writtenAt.toISOString(), entries }
      const bytes = computeArchiveSize(entries)
      if (bytes > maxBytes) throw new NonRetryableError(tooLarge)
      await storeChunk(0, 0, Buffer.from(JSON.stringify(directory)))
      return bytes
    },
  }
}

function createEntry(name: string, storeChunk: (number: number, content: Buffer) => Promise<void>) {
  const entry: Entry = { name, size: 0, compressedSize: 0, crc: 0, chunks: 0 }
  let texts: string[] = []
  let chars = 0
  let compressed: Uint8Array[] = []
  let compressedBytes = 0
  const deflate = new Deflate({ level: 6 }, (data) => {
    compressed.push(data)
    compressedBytes += data.length
  })

  async function compress(isLast: boolean): Promise<void> {
    const content = Buffer.from(texts.join(''))
    texts = []
    chars = 0
    entry.size += content.length
    if (entry.size > maxBytes) throw new NonRetryableError(tooLarge)
    entry.crc = crc32(content, entry.crc)
    deflate.push(content, isLast)
    if (compressedBytes < chunkBytes && !isLast) return
    const stored = Buffer.concat(compressed)
    compressed = []
    compressedBytes = 0
    entry.compressedSize += stored.length
    await storeChunk(entry.chunks++, stored)
  }

  return {
    async write(text: string) {
      texts.push(text)
      chars += text.length
      if (chars >= maxBufferedChars) await compress(false)
    },
    async close(): Promise<Entry> {
      await compress(true)
      return entry
    },
  }
}

/** Returns the size of an archive: per entry a header, its data, a descriptor and its line in the directory. */
const computeArchiveSize = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { name, compressedSize }) => sum + 30 + 16 + 46 + 2 * name.length + compressedSize, 22)

/** Returns a stored archive as a stream of bytes; null when its file was deleted, or its key was destroyed. */
export async function openArchive(
  services: Pick<Services, 'pool' | 'keyStore'>,
  file: FileAddress,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const stored = await readChunk(services, file, 0, 0)
  if (!stored) return null
  const { writtenAt, entries } = Directory.parse(JSON.parse(stored.toString('utf8')))
  return streamArchive(entries, new Date(writtenAt), (entry, number) => readChunk(services, file, entry, number))
}

async function* streamArchive(
  entries: readonly Entry[],
  mtime: Date,
  read: (entry: number, number: number) => Promise<Buffer | null>,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    ready.push(data)
  })
  for (const [index, { name: filename, size, crc, chunks }] of entries.entries()) {
    // Already compressed: the archive adds its headers only.
    const entry: ZipInputFile = { filename, size, crc, compression: 8, mtime }
    zip.add(entry)
    for (let number = 0; number < chunks; number++) {
      const content = await read(index + 1, number)
      if (!content) throw new Error('A piece of a data export is missing')
      entry.ondata?.(null, new Uint8Array(content), number === chunks - 1)
      yield* ready.splice(0)
    }
  }
  zip.end()
  yield* ready.splice(0)
}
