import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { lockDataDir } from './data-dir-lock.ts'
import { ensureDataDir, startEmbeddedPostgres } from './embedded-postgres.ts'
import { StartError } from './start-error.ts'

/** A database that a command-line tool may use, and how to let go of it. */
export type AcquiredDatabase = { url: string; release(): Promise<void> }

/**
 * The database of this installation, for a tool: the one that is set, the embedded one of an application that runs, or the
 * embedded one started for as long as the tool works. Throws StartError.
 */
export async function acquireDatabase(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  log: (line: string) => void,
): Promise<AcquiredDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, release: async () => undefined }
  const home = await ensureDataDir(dataDir)
  let unlock: (() => void) | undefined
  try {
    unlock = await lockDataDir(home)
  } catch (error) {
    const [password, port] = await Promise.all(
      ['postgres-password', 'postgres-port'].map((name) => readFile(path.join(home, name), 'utf8').catch(() => '')),
    )
    if (!(error instanceof StartError) || !password || !port) throw error
    return {
      url: `postgres://everchart:${password.trim()}@127.0.0.1:${port.trim()}/everchart`,
      release: async () => undefined,
    }
  }
  try {
    const database = await startEmbeddedPostgres({ dataDir: home, log })
    return {
      url: database.url,
      async release() {
        await database.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
