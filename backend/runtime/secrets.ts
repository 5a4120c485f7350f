import { createHmac, randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { StartError } from './start-error.ts'

/** HMAC-SHA-256 of a value as hex, one namespace a purpose: the same text hashed for two purposes gives two results. */
export type KeyedHash = (purpose: string, value: string) => string

export const keyedHashWith =
  (key: string): KeyedHash =>
  (purpose, value) =>
    // The length keeps (ab, c) and (a, bc) apart.
    createHmac('sha256', key).update(`${purpose.length}:${purpose}${value}`).digest('hex')

/**
 * The secrets of this installation: those given, else those kept in the data folder (mode 0600), made at the first
 * start. Throws StartError for a file that cannot be used.
 */
export async function loadSecrets(
  dataDir: string,
  given: { sessionSecret: string | undefined; hashKey: string | undefined },
): Promise<{ sessionSecret: string; keyedHash: KeyedHash }> {
  const sessionSecret = given.sessionSecret ?? (await keptSecret(path.join(dataDir, 'session-secret')))
  const hashKey = given.hashKey ?? (await keptSecret(path.join(dataDir, 'hash-key')))
  return { sessionSecret, keyedHash: keyedHashWith(hashKey) }
}

async function keptSecret(file: string): Promise<string> {
  try {
    const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (kept === undefined) return await newSecret(file)
    if (kept.trim().length < 32) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
    await chmod(file, 0o600)
    return kept.trim()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The secret in ${file} cannot be used: ${(error as Error).message}`)
  }
}

/** Written whole beside its place and linked there, so that no crash leaves half a key and no key is ever replaced. */
async function newSecret(file: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, secret, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return secret
}

/** Facts about the installation itself, one row each. */
export const installationMigration = {
  id: 'runtime-001-installation',
  sql: 'create table app.installation (name text primary key, value text not null)',
}

/**
 * Refuses another hash key than the one this database was begun with: with it, an e-mail address that is taken would
 * look free. Only a hash of the key is kept. Throws StartError.
 */
export async function holdHashKey(pool: Pool, keyedHash: KeyedHash): Promise<void> {
  const print = keyedHash('installation', 'hash-key')
  await pool.query(`insert into app.installation (name, value) values ('hash-key', $1) on conflict (name) do nothing`, [
    print,
  ])
  const { rows } = await pool.query<{ value: string }>(`select value from app.installation where name = 'hash-key'`)
  if (rows[0]?.value !== print) {
    throw new StartError(
      'HASH_KEY (or the file hash-key in DATA_DIR) is not the one this database was begun with: put the old one back.',
    )
  }
}
