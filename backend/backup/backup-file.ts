import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { OperationRefused } from '#runtime/operation-refused.ts'

/**
 * Format of a backup file: a line with the format version, the content as gzip, and a line with the SHA-256 of all bytes before
 * it. `tail -n +2 <file> | zcat` shows the content.
 */
const formatVersion = 1
const magicLine = `everchart-backup ${formatVersion}\n`
const trailerLength = 'sha256 '.length + 64 + 1
const formatTrailer = (hash: string) => `sha256 ${hash}\n`

/** Writes a backup completely or not at all, readable by its owner only. Throws OperationRefused if the file exists. */
export async function writeBackupFile(
  file: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  if (await fileExists(file)) throw new OperationRefused(`${file} already exists: name another file`)
  const draft = `${file}.${process.pid}.part`
  const hash = createHash('sha256')
  let bytes = 0
  async function* frame(compressed: AsyncIterable<Buffer>) {
    hash.update(magicLine)
    yield Buffer.from(magicLine)
    for await (const chunk of compressed) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    yield Buffer.from(formatTrailer(hash.digest('hex')))
  }
  try {
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(content), createGzip(), frame, target, { signal })
    // Fails if another process created the file in the meantime; a rename would replace it.
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
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EEXIST: 'it already exists',
}

function translateFileError(error: unknown, file: string): unknown {
  const reason = fileErrorReasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? error : new OperationRefused(`${file}: ${reason}`)
}

/** Reads a backup completely and verifies its hash. Throws OperationRefused if it is not a backup, is damaged, or is too new. */
export async function verifyBackupFile(
  file: string,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<void> {
  const { size, first, last } = await readEnds(file)
  const [, version] = /^everchart-backup (\d+)\n/.exec(first) ?? []
  if (version === undefined) throw new OperationRefused(`${file} is not a backup of Everchart`)
  if (Number(version) > formatVersion)
    throw new OperationRefused(`${file} was created by a newer version of Everchart: restore it with that version`)
  const [, expected] = /^sha256 ([0-9a-f]{64})\n$/.exec(last) ?? []
  if (expected === undefined) throw new OperationRefused(`${file} is incomplete or damaged: its end is missing`)
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
  if (hash.digest('hex') !== expected) throw new OperationRefused(`${file} is damaged: its hash does not match`)
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

/** Yields the content of a verified backup. */
export async function* readBackupFile(file: string): AsyncGenerator<Buffer> {
  const { size } = await readEnds(file)
  const compressed = createReadStream(file, {
    start: magicLine.length,
    end: size - trailerLength - 1,
    highWaterMark: 1 << 18,
  })
  const content = compressed.pipe(createGunzip())
  compressed.on('error', (error) => content.destroy(error))
  try {
    yield* content
  } finally {
    compressed.destroy()
    content.destroy()
  }
}
