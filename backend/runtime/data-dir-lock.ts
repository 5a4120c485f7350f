import { rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/**
 * Locks the data folder for this process and returns a function that unlocks it. The operating system holds the lock through
 * a SQLite file and releases it when the process ends, however it ends: there is no stale lock and no reused process id.
 * Throws StartError when another process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const file = path.join(dataDir, 'in-use.lock')
  const ownerFile = path.join(dataDir, 'in-use.pid')
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 500 })
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    writeFileSync(ownerFile, String(process.pid))
  } catch (error) {
    lock?.close()
    const { errcode, message } = error as { errcode?: number; message: string }
    if (errcode !== 5 && errcode !== 6) throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${message}`)
    const owner = await readFile(ownerFile, 'utf8').catch(() => 'unknown')
    throw new StartError(
      `Everchart is already running on ${dataDir} (process ${owner}): stop it first, or set another DATA_DIR.`,
    )
  }
  return () => {
    rmSync(ownerFile, { force: true })
    lock.close()
  }
}
