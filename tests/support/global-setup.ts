import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { parseRole } from '#database/roles.ts'
import { startEmbeddedPostgres, toApplicationUrl } from '#runtime/embedded-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser URL of the PostgreSQL of this test run. */
    databaseUrl: string
  }
}

/**
 * Settings that trade durability for speed: a test run has nothing to lose in a power failure. On tables as small as those of
 * tests, compiling a plan takes longer than running it.
 */
const fastUnsafeSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=500',
  'shared_buffers=128MB',
  'jit=off',
]

/**
 * Starts one real PostgreSQL for the whole run in a temporary folder, and creates the template database of all test
 * databases. TEST_DATABASE_URL selects a running server instead. A run of unit tests only (`--project unit`) starts none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return async () => undefined
  // A run by hand, without npm: the processes that tests start run the sources of now.
  execFileSync(process.execPath, ['scripts/prepare.mjs', 'backend'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const given = process.env['TEST_DATABASE_URL']
  if (given) {
    await prepareTemplate(given)
    project.provide('databaseUrl', given)
    return async () => undefined
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-test-'))
  // Under root the database runs as another user, which needs access to the parent folders.
  await chmod(folder, 0o711)
  const database = await startEmbeddedPostgres({
    dataDir: folder,
    log: () => undefined,
    extraFlags: fastUnsafeSettings,
  })
  const watch = startCleanupWatchdog(database.pid(), folder)
  await prepareTemplate(database.url)
  project.provide('databaseUrl', database.url)
  return async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
    watch.kill()
  }
}

/** Creates the application's role of all test applications; test files that run in parallel would race for it. */
async function prepareRole(admin: Client, url: string): Promise<void> {
  const { name, password } = parseRole(toApplicationUrl(url))
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [name])
  await admin.query(`${rowCount === 0 ? 'create' : 'alter'} role ${name} login password '${password}'`)
}

/** Starts a shell that waits for the end of this process, even by a kill, and then cleans up. */
function startCleanupWatchdog(pid: number, folder: string) {
  const script = 'cat >/dev/null; kill -QUIT "$0" 2>/dev/null; sleep 1; rm -rf "$1"'
  const watch = spawn('sh', ['-c', script, String(pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  return watch
}

async function prepareTemplate(url: string): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    await prepareRole(admin, url)
    for (const name of ['everchart_started', 'everchart_template']) await admin.query(`drop database if exists ${name}`)
    await admin.query(`create database everchart_template template template0 encoding 'UTF8'`)
  } finally {
    await admin.end()
  }
  const address = new URL(url)
  address.pathname = '/everchart_template'
  const template = new Client({ connectionString: address.href })
  await template.connect()
  try {
    for (const name of ['pg_trgm', 'btree_gist', 'btree_gin']) await template.query(`create extension ${name}`)
  } finally {
    await template.end()
  }
}
