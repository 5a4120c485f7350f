import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { type BackedUp, backUp } from '#backup/backup.ts'
import { type Checked, checkBackup, type Known, refuseUnlessEmpty, restore } from '#backup/restore.ts'
import { letGoOn } from '#backup/reactors.ts'
import { versionsFor } from '#main/event-versions.ts'
import { migrationsFor } from '#main/migrations.ts'
import { modules } from '#main/modules.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'

/** What this Everchart can take back. */
export const known: Known = { migrations: migrationsFor(modules), events: versionsFor(modules).listReadable() }

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
    const store = await openPostgresStore(pool)
    await letGoOn(pool, store, checked.reactors)
    await store.close()
    return checked
  })
}

export async function onPool<Result>(databaseUrl: string, run: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = openPool(databaseUrl, 2)
  try {
    return await run(pool)
  } finally {
    await pool.end()
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
