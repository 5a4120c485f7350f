import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { type BackedUp, backUp } from '#backend/backup/backup.ts'
import { type Checked, checkBackup, type Known, refuseUnlessEmpty, restore } from '#backend/backup/restore.ts'
import { letGoOn } from '#backend/backup/reactors.ts'
import { versionsFor } from '#backend/event-versions.ts'
import { migrationsFor } from '#backend/migrations.ts'
import { modules } from '#backend/modules.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { untilSessionsEnd } from '#tests/support/test-database.ts'

/** What this Everchart can take back. */
export const known: Known = { migrations: migrationsFor(modules), events: versionsFor(modules).all() }

const quiet = (): Parameters<typeof checkBackup>[2] => ({
  signal: new AbortController().signal,
  onShare: () => undefined,
})

/** Backs up a database. */
export async function save(
  databaseUrl: string,
  file: string,
  over: { elsewhere?: EventStore; signal?: AbortSignal; onEvents?: () => void } = {},
): Promise<BackedUp> {
  return await onPool(databaseUrl, (pool) =>
    backUp(file, {
      pool,
      elsewhere: null,
      about: { version: '1.2.3', events: known.events },
      signal: new AbortController().signal,
      onEvents: () => undefined,
      ...over,
    }),
  )
}

/** Brings a backup into a database, as `npm run restore` does. */
export async function load(
  databaseUrl: string,
  file: string,
  over: Partial<Known> = {},
  watched = quiet(),
): Promise<Checked> {
  return await onPool(databaseUrl, async (pool) => {
    const checked = await checkBackup(file, { ...known, ...over }, quiet())
    await refuseUnlessEmpty(pool)
    await restore(pool, checked, { ...known, ...over }, watched)
    const store = await postgresStore(pool)
    await letGoOn(pool, store, checked.reactors)
    await store.close()
    return checked
  })
}

/** Lends a pool and returns once PostgreSQL has closed its sessions: a restore refuses while one is left. */
export async function onPool<Result>(databaseUrl: string, run: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = openPool(databaseUrl, 2)
  const sessions: number[] = []
  pool.on('connect', (client) => sessions.push((client as unknown as { processID: number }).processID))
  try {
    return await run(pool)
  } finally {
    await pool.end()
    await untilSessionsEnd(databaseUrl, sessions)
  }
}

/** A folder for the files of one test. */
export async function temporaryFolder(): Promise<{ file(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-backup-'))
  return {
    file: (name) => path.join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
