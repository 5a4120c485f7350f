import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const run = promisify(execFile)

/** Allows traversing any folder, also for `access(2)`, which otherwise ignores capabilities. */
const capabilityFlags = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']

/** The account that runs the database. PostgreSQL refuses to run as root, so root starts it as the OS user `postgres`. */
export type PostgresAccount = {
  /** Undefined unless the application runs as root: the database then runs as the same user. */
  ids: { uid: number; gid: number } | undefined
  /** True if the account cannot traverse the given folders (a clone below /root): it then gets one capability. */
  needsCapability: boolean
}

/**
 * Returns the account for a cluster in `dataDir` run from `program`. As root, creates the user `postgres` if missing. Throws
 * StartError if that is impossible.
 */
export async function resolvePostgresAccount(dataDir: string, program: string): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { ids: undefined, needsCapability: false }
  const ids = (await lookUpUser()) ?? (await createUser())
  const locked = !canTraverse(dataDir, ids) || !canTraverse(path.dirname(program), ids)
  if (locked && !(await hasSetpriv())) {
    throw new StartError(
      `PostgreSQL runs as the user "postgres", who cannot reach ${dataDir} and its programs: move the checkout out of a private folder such as /root, or start as an ordinary user.`,
    )
  }
  return { ids, needsCapability: locked }
}

/**
 * Starts a PostgreSQL program under the account, in its own process group: a Ctrl-C at the terminal then reaches only the
 * application, which stops the database last.
 */
export function spawnAs(
  account: PostgresAccount,
  program: string,
  args: string[],
  stdio: ('ignore' | 'pipe' | number)[],
): ChildProcess {
  const env = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C', LANG: 'C', PGTZ: '', TZ: 'UTC' }
  const options = { stdio, env, detached: true, cwd: '/' }
  if (!account.ids) return spawn(program, args, options)
  if (!account.needsCapability) return spawn(program, args, { ...options, ...account.ids })
  const { uid, gid } = account.ids
  // The application is root here, so this grants nothing that the holder of the password lacks.
  return spawn(
    'setpriv',
    [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilityFlags, program, ...args],
    options,
  )
}

/** Makes the account the owner of a folder and its content (as root; otherwise does nothing). */
export async function changeOwner(account: PostgresAccount, folder: string): Promise<void> {
  if (!account.ids) return
  const { uid, gid } = account.ids
  if ((await stat(folder)).uid === uid) return
  for (const entry of await readdir(folder, { recursive: true })) {
    const full = path.join(folder, entry)
    if (!(await lstat(full)).isSymbolicLink()) await chown(full, uid, gid)
  }
  await chown(folder, uid, gid)
}

/** Restores the executable bits, which npm and some file systems lose. */
export async function ensureExecutable(program: string): Promise<void> {
  const { mode } = await stat(program)
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555)
}

async function lookUpUser(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createUser(): Promise<{ uid: number; gid: number }> {
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']],
    ['adduser', ['-S', '-H', '-s', '/sbin/nologin', 'postgres']],
  ]
  for (const [program, args] of ways) {
    await run(program, args).catch(() => undefined)
    const ids = await lookUpUser()
    if (ids) return ids
  }
  throw new StartError(
    'PostgreSQL does not run as root and the OS user "postgres" could not be created: add it, start as an ordinary user, or set DATABASE_URL.',
  )
}

async function hasSetpriv(): Promise<boolean> {
  try {
    await run('setpriv', [...capabilityFlags, 'true'])
    return true
  } catch {
    return false
  }
}

function canTraverse(folder: string, ids: { uid: number; gid: number }): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === path.dirname(at)) return true
  }
}
