import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { OperationRefused } from '#runtime/operation-refused.ts'

/**
 * A backup on the disk: a line that says what it is, its content as gzip, and a line with SHA-256 over every byte before it.
 * `zcat` shows the content once the first line is cut off: `tail -n +2 <file> | zcat`.
 */
const formatVersion = 1
const magicLine = `everchart-backup ${formatVersion}\n`
const trailerLength = 'sha256 '.length + 64 + 1
const formatTrailer = (hash: string) => `sha256 ${hash}\n`

/** Writes a backup whole or not at all, for the owner's eyes only. Throws OperationRefused when there is such a file already. */
export async function writeBackupFile(
  file: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  if (await fileExists(file)) throw new OperationRefused(`${file} is there already: name another file`)
  const draft = `${file}.${process.pid}.part`
  const hash = createHash('sha256')
  let bytes = 0
  async function* framed(packed: AsyncIterable<Buffer>) {
    hash.update(magicLine)
    yield Buffer.from(magicLine)
    for await (const chunk of packed) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    yield Buffer.from(formatTrailer(hash.digest('hex')))
  }
  try {
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(content), createGzip(), framed, target, { signal })
    // Fails when somebody else has made the file meanwhile, where a rename would replace it.
    await link(draft, file)
  } catch (error) {
    throw translateFileError(error, file)
  } finally {
    await rm(draft, { force: true })
  }
  return bytes + magicLine.length + trailerLength
}

const fileExists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

const fileErrorReasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be opened',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EEXIST: 'it is there already',
}

function translateFileError(error: unknown, file: string): unknown {
  const why = fileErrorReasons[(error as NodeJS.ErrnoException).code ?? '']
  return why === undefined ? error : new OperationRefused(`${file}: ${why}`)
}

/** Reads a whole backup and holds it to its own hash. Throws OperationRefused for what is no backup, is damaged, or is too new. */
export async function verifyBackupFile(
  file: string,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<void> {
  const { size, first, last } = await readEnds(file)
  const [, made] = /^everchart-backup (\d+)\n/.exec(first) ?? []
  if (made === undefined) throw new OperationRefused(`${file} is not a backup of Everchart`)
  if (Number(made) > formatVersion)
    throw new OperationRefused(`${file} was made by a newer Everchart: restore it with that one`)
  const [, expected] = /^sha256 ([0-9a-f]{64})\n$/.exec(last) ?? []
  if (expected === undefined) throw new OperationRefused(`${file} is cut off or damaged: its end is missing`)
  const hash = createHash('sha256')
  let done = 0
  await pipeline(
    createReadStream(file, { end: size - trailerLength - 1, highWaterMark: 1 << 20 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk)
        onShare((done += chunk.length) / size)
      }
    },
    { signal },
  )
  if (hash.digest('hex') !== expected) throw new OperationRefused(`${file} is damaged: it is not what was written`)
}

async function readEnds(file: string): Promise<{ size: number; first: string; last: string }> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const at = async (position: number, length: number) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, Math.max(0, position))
        return buffer.subarray(0, bytesRead).toString('latin1')
      }
      return { size, first: await at(0, 64), last: await at(size - trailerLength, trailerLength) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw translateFileError(error, file)
  }
}

/** The content of a backup that was checked. */
export async function* readBackupFile(file: string): AsyncGenerator<Buffer> {
  const { size } = await readEnds(file)
  const packed = createReadStream(file, {
    start: magicLine.length,
    end: size - trailerLength - 1,
    highWaterMark: 1 << 18,
  })
  const content = packed.pipe(createGunzip())
  packed.on('error', (error) => content.destroy(error))
  try {
    yield* content
  } finally {
    packed.destroy()
    content.destroy()
  }
}
