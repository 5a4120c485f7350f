import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { lockDataDir } from './data-dir-lock.ts'
import { ensureDataDir, startEmbeddedPostgres, toApplicationUrl } from './embedded-postgres.ts'
import { StartError } from './start-error.ts'

/** A database for a command-line tool; `release` stops it if the tool started it. */
export type AcquiredDatabase = {
  /** The address with the application's role. */
  url: string
  /** The address with the role that owns the stored events; the same where there is only one role. */
  ownerUrl: string
  release(): Promise<void>
}

type Settings = { dataDir: string; databaseUrl: string | undefined; ownerDatabaseUrl?: string | undefined }

/**
 * Returns the database of this installation: the configured one, the embedded one of a running application, or the embedded
 * one started until `release`. Throws StartError.
 */
export async function acquireDatabase(
  { dataDir, databaseUrl, ownerDatabaseUrl }: Settings,
  log: (line: string) => void,
): Promise<AcquiredDatabase> {
  if (databaseUrl !== undefined)
    return { url: databaseUrl, ownerUrl: ownerDatabaseUrl ?? databaseUrl, release: async () => undefined }
  const home = await ensureDataDir(dataDir)
  let unlock: (() => void) | undefined
  try {
    unlock = await lockDataDir(home)
  } catch (error) {
    const [password, port] = await Promise.all(
      ['postgres-password', 'postgres-port'].map((name) => readFile(path.join(home, name), 'utf8').catch(() => '')),
    )
    if (!(error instanceof StartError) || !password || !port) throw error
    const ownerUrl = `postgres://everchart:${password.trim()}@127.0.0.1:${port.trim()}/everchart`
    return { url: toApplicationUrl(ownerUrl), ownerUrl, release: async () => undefined }
  }
  try {
    const database = await startEmbeddedPostgres({ dataDir: home, log })
    return {
      url: database.applicationUrl,
      ownerUrl: database.url,
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
