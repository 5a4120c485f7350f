import { createHmac, randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { StartError } from './start-error.ts'

/** HMAC-SHA-256 of a value as hex, one namespace a purpose: the same text hashed for two purposes gives two results. */
export type KeyedHash = (purpose: string, value: string) => string

export const createKeyedHash =
  (key: string): KeyedHash =>
  (purpose, value) =>
    // The length keeps (ab, c) and (a, bc) apart.
    createHmac('sha256', key).update(`${purpose.length}:${purpose}${value}`).digest('hex')

/** The secret that signs session cookies: the one given, else the one kept in the data folder, made at the first start. */
export const resolveSessionSecret = (dataDir: string, given: string | undefined): Promise<string> =>
  resolveSecret(path.join(dataDir, 'session-secret'), given)

/** The secret with which messages of the payment provider are signed: the one given, else one made at the first start. */
export const resolveWebhookSecret = (dataDir: string, given: string | undefined): Promise<string> =>
  resolveSecret(path.join(dataDir, 'webhook-secret'), given)

async function resolveSecret(file: string, given: string | undefined): Promise<string> {
  return given ?? (await readSecret(file)) ?? (await storeSecret(file, randomBytes(32).toString('base64url')))
}

/** A secret kept in a file of the data folder (mode 0600), if it is there. Throws StartError for one that cannot be used. */
export async function readSecret(file: string): Promise<string | undefined> {
  return await withSecretFile(file, async () => {
    const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (kept === undefined) return undefined
    if (kept.trim().length < 32) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
    await chmod(file, 0o600)
    return kept.trim()
  })
}

/**
 * Keeps a new secret in a file (mode 0600): written whole beside its place and linked there, so that no crash leaves half
 * a key and no key is ever replaced. Answers the one that is there, should somebody else have been first. Throws StartError.
 */
export async function storeSecret(file: string, secret: string): Promise<string> {
  return await withSecretFile(file, async () => {
    const draft = `${file}.${randomBytes(6).toString('hex')}`
    await writeFile(draft, secret, { mode: 0o600, flush: true })
    try {
      await link(draft, file)
      return secret
    } catch (error) {
      const first = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readSecret(file) : undefined
      if (first === undefined) throw error
      return first
    } finally {
      await rm(draft, { force: true })
    }
  })
}

async function withSecretFile<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The secret in ${file} cannot be used: ${(error as Error).message}`)
  }
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
export async function verifyHashKey(pool: Pool, keyedHash: KeyedHash): Promise<void> {
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
