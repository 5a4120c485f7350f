import { type EmbeddedPostgres, startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import type { Lifecycle } from '#runtime/lifecycle.ts'
import { StartError } from '#runtime/start-error.ts'
import { waitForDatabase } from '#runtime/wait-for-database.ts'
import type { Config } from './config.ts'
import type { Addresses } from './prepare-database.ts'

type Parts = {
  config: Pick<Config, 'databaseUrl' | 'ownerDatabaseUrl'>
  dataDir: string
  lifecycle: Lifecycle
  /** Reports a step. */
  log: (line: string) => void
  /** Ends the application. */
  fail: (error: Error, message: string) => void
  /** Called when the embedded database has started. */
  onEmbedded: (database: EmbeddedPostgres) => void
}

/** Waits for the configured database, or starts the embedded one if there is none. */
export const findDatabase = async (parts: Parts): Promise<Addresses> =>
  (await findExternalDatabase(parts)) ?? (await startEmbeddedDatabase(parts))

/** Waits for the configured database; undefined if there is none. The role of DATABASE_URL may not exist yet. */
async function findExternalDatabase({ config, lifecycle, log }: Parts): Promise<Addresses | undefined> {
  const { databaseUrl, ownerDatabaseUrl } = config
  if (databaseUrl === undefined) return undefined
  const variable = ownerDatabaseUrl === undefined ? 'DATABASE_URL' : 'OWNER_DATABASE_URL'
  const ownerUrl = ownerDatabaseUrl ?? databaseUrl
  await waitForDatabase(variable, ownerUrl, lifecycle.signal, log)
  return { databaseUrl, ownerUrl }
}

async function startEmbeddedDatabase({ dataDir, lifecycle, log, fail, onEmbedded }: Parts): Promise<Addresses> {
  log('Starting the database')
  const embedded = await startEmbeddedPostgres({
    dataDir,
    log,
    signal: lifecycle.signal,
    onLost: (reason) => fail(new StartError(reason), 'database lost'),
  })
  onEmbedded(embedded)
  lifecycle.onStop('database', 6_500, embedded.stop)
  return { databaseUrl: embedded.applicationUrl, ownerUrl: embedded.url }
}
