import { createHmac, randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { insertInstallationValue } from './installation.ts'
import { StartError } from './start-error.ts'

/** HMAC-SHA-256 of a value as hex, one namespace per purpose: the same text gives different hashes for different purposes. */
export type KeyedHash = (purpose: string, value: string) => string

export const createKeyedHash =
  (key: string): KeyedHash =>
  (purpose, value) =>
    // The length distinguishes (ab, c) from (a, bc).
    createHmac('sha256', key).update(`${purpose.length}:${purpose}${value}`).digest('hex')

/** Returns the secret that signs session cookies: the given one, else the one in the data folder, created on the first start. */
export const resolveSessionSecret = (dataDir: string, given: string | undefined): Promise<string> =>
  resolveSecret(path.join(dataDir, 'session-secret'), given)

/** Returns the secret that signs webhooks of the payment provider: the given one, else one created on the first start. */
export const resolveWebhookSecret = (dataDir: string, given: string | undefined): Promise<string> =>
  resolveSecret(path.join(dataDir, 'webhook-secret'), given)

async function resolveSecret(file: string, given: string | undefined): Promise<string> {
  return given ?? (await readSecret(file)) ?? (await storeSecret(file, randomBytes(32).toString('base64url')))
}

/** Reads a secret from a file (mode 0600); undefined if there is none. Throws StartError if it is unusable. */
export async function readSecret(file: string): Promise<string | undefined> {
  return await withSecretFile(file, async () => {
    const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (stored === undefined) return undefined
    if (stored.trim().length < 32) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
    await chmod(file, 0o600)
    return stored.trim()
  })
}

/**
 * Stores a new secret in a file (mode 0600) through a temporary file and a link, so a crash leaves no partial key and no key is
 * ever replaced. Returns the existing secret if another process was faster. Throws StartError.
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

/**
 * Throws StartError if the hash key is not the one this database was created with: with another key, a used e-mail address
 * would look unused. Only a hash of the key is stored.
 */
export async function verifyHashKey(pool: Pool, keyedHash: KeyedHash): Promise<void> {
  const fingerprint = keyedHash('installation', 'hash-key')
  if ((await insertInstallationValue(pool, 'hash-key', fingerprint)) !== fingerprint) {
    throw new StartError(
      'HASH_KEY (or the file hash-key in DATA_DIR) is not the one this database was created with: restore the old one.',
    )
  }
}
