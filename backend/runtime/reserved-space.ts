import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const blockBytes = 1024 * 1024
/** Four files of PostgreSQL's write-ahead log. */
export const reservedBytes = 64 * blockBytes

/** Returns the path of the file that holds the reserved space. */
export const reservedFile = (dataDir: string) => path.join(dataDir, 'reserved-space')

/** Returns whether a message of PostgreSQL or of the operating system says that a disk, or a quota on it, is full. */
export const isForLackOfSpace = (message: string): boolean =>
  /no space left on device|disk quota exceeded/i.test(message)

/** Reserves disk space in the data folder, unless that is done: PostgreSQL cannot even recover on a disk that is full. */
export async function reserveSpace(dataDir: string): Promise<void> {
  const file = reservedFile(dataDir)
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size === reservedBytes) return
  const unfinished = `${file}.unfinished`
  const handle = await open(unfinished, 'w', 0o600)
  try {
    // A file system may store zeros, or the same block twice, without using space.
    for (let written = 0; written < reservedBytes; written += blockBytes) await handle.write(randomBytes(blockBytes))
  } finally {
    await handle.close()
  }
  await rename(unfinished, file)
}

/** Frees the reserved space. Returns whether there was any. */
export async function releaseReservedSpace(dataDir: string): Promise<boolean> {
  return await rm(reservedFile(dataDir)).then(
    () => true,
    () => false,
  )
}
