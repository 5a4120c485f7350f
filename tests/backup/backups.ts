import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { type BackupResult, createBackup } from '#backup/backup.ts'
import {
  type VerifiedBackup,
  verifyBackup,
  type SupportedVersions,
  requireEmptyInstallation,
  restoreBackup,
} from '#backup/restore.ts'
import { resumeProcessManagers } from '#backup/process-managers.ts'
import { createModuleEventVersions } from '#main/event-versions.ts'
import { collectMigrations } from '#main/migrations.ts'
import { modules } from '#main/modules.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { waitUntilSessionsEnd } from '#tests/support/test-database.ts'

/** The migrations and event versions that this version of Everchart can restore. */
export const known: SupportedVersions = {
  migrations: collectMigrations(modules),
  events: createModuleEventVersions(modules).listReadable(),
}

const quiet = (): Parameters<typeof verifyBackup>[2] => ({
  signal: new AbortController().signal,
  onProgress: () => undefined,
})

/** Backs a database up into a file. */
export async function save(
  databaseUrl: string,
  file: string,
  over: { externalStore?: EventStore; signal?: AbortSignal; onEvents?: () => void } = {},
): Promise<BackupResult> {
  return await onPool(databaseUrl, (pool) =>
    createBackup(file, {
      pool,
      externalStore: null,
      metadata: { version: '1.2.3', events: known.events },
      signal: new AbortController().signal,
      onEvents: () => undefined,
      ...over,
    }),
  )
}

/** Restores a backup into a database, as `npm run restore` does. */
export async function load(
  databaseUrl: string,
  file: string,
  over: Partial<SupportedVersions> = {},
  watched = quiet(),
): Promise<VerifiedBackup> {
  return await onPool(databaseUrl, async (pool) => {
    const checked = await verifyBackup(file, { ...known, ...over }, quiet())
    await requireEmptyInstallation(pool)
    await restoreBackup(pool, checked, { ...known, ...over }, watched)
    const store = await openPostgresStore(pool)
    await resumeProcessManagers(pool, store, checked.processManagers)
    await store.close()
    return checked
  })
}

/** Provides a pool and returns once PostgreSQL has closed its sessions: a restore refuses while one is open. */
export async function onPool<Result>(databaseUrl: string, run: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = openPool(databaseUrl, 2)
  const sessions: number[] = []
  pool.on('connect', (client) => sessions.push((client as unknown as { processID: number }).processID))
  try {
    return await run(pool)
  } finally {
    await pool.end()
    await waitUntilSessionsEnd(databaseUrl, sessions)
  }
}

/** Creates a temporary folder for the files of one test. */
export async function temporaryFolder(): Promise<{ file(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-backup-'))
  return {
    file: (name) => path.join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
