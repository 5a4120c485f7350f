import { rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/**
 * Takes the data folder for this process. The lock is one of the operating system, held through a SQLite file: it ends
 * with the process however it ends, so there is no stale lock and no process number that could be in use again.
 * Throws StartError when another start holds it. Returns how to give it back.
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
      `Another Everchart (process ${owner}) is already running on ${dataDir}: stop it first, or set another DATA_DIR.`,
    )
  }
  return () => {
    rmSync(ownerFile, { force: true })
    lock.close()
  }
}
