import { rename } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { computeFingerprint, type Key, formatKey, generateKey, parseKey, encrypt, decrypt } from './cipher.ts'
import { ensureMasterKey, masterKeyName, dataKeysMigration } from './data-keys.ts'
import { migrate } from '#database/migrations.ts'
import { ensureDataDir } from '#runtime/embedded-postgres.ts'
import { insertInstallationValue, installationMigration, readInstallationValue } from '#runtime/installation.ts'
import { readSecret, verifyHashKey, storeSecret, type KeyedHash, createKeyedHash } from '#runtime/secrets.ts'
import { StartError } from '#runtime/start-error.ts'

/** Configured keys; an undefined one is stored in the data folder or the database, or created. */
export type KeySettings = { dataDir: string; masterKey: Key | undefined; hashKey: string | undefined }

/** The keys of an installation, verified against its database. */
export type InstallationKeys = { masterKey: Key; keyedHash: KeyedHash }

/** Name in app.installation of the hash key, encrypted with the master key. */
export const encryptedHashKeyName = 'hash-key-encrypted'

const hashKeyContext = 'hash-key'

/** Returns the hash key as it is stored in the database. */
export const encryptHashKey = (master: Key, hashKey: string): string =>
  encrypt(master, hashKeyContext, hashKey).toString('base64')

/** Returns the stored hash key; null when another master key encrypts it. */
export const decryptHashKey = (master: Key, encrypted: string): string | null =>
  decrypt(master, hashKeyContext, Buffer.from(encrypted, 'base64'))?.toString('utf8') ?? null

/**
 * Loads the keys that encrypt and hash the data of this database; creates them for a new one. Throws StartError for a
 * master key or hash key that is missing or is not the one of this database.
 */
export async function loadKeys(pool: Pool, settings: KeySettings): Promise<InstallationKeys> {
  await migrate(pool, [installationMigration, dataKeysMigration])
  const masterKey = await loadMasterKey(pool, settings)
  return { masterKey, keyedHash: await loadHashKey(pool, settings, masterKey) }
}

/** Returns the file of a master key that is not configured. */
const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key')

async function loadMasterKey(pool: Pool, { dataDir, masterKey: given }: KeySettings): Promise<Key> {
  const isNew = (await readInstallationValue(pool, masterKeyName)) === undefined
  const master =
    given ?? (await readKeyFile(masterKeyFile(dataDir))) ?? (isNew ? await createMasterKey(dataDir) : undefined)
  if (master === undefined)
    throw new StartError(
      `MASTER_KEY is missing: set it, or restore the file ${masterKeyFile(dataDir)}. Without it the stored data cannot be read.`,
    )
  if (await ensureMasterKey(pool, master)) return master
  const next = given ? undefined : await readKeyFile(nextMasterKeyFile(dataDir))
  if (next && (await ensureMasterKey(pool, next))) {
    // The key was rotated, and the process was killed before it could rename the file.
    await promoteNextMasterKey(dataDir, master)
    return next
  }
  throw new StartError(
    'MASTER_KEY (or the file master-key in DATA_DIR) is not the one this database is encrypted with: restore the right one.',
  )
}

/** Reads the key in a file; undefined if there is no such file. Throws StartError for a damaged one. */
async function readKeyFile(file: string): Promise<Key | undefined> {
  const text = await readSecret(file)
  const key = text === undefined ? undefined : parseKey(text)
  if (key === null) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
  return key
}

const nextMasterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key.next')

/**
 * Returns the next master key of a rotation: the given one, or else a new one, stored in the data folder. An interrupted
 * rotation continues with its key. Throws StartError when that differs from the given one.
 */
export async function prepareNextMasterKey(dataDir: string, given: Key | undefined): Promise<Key> {
  await storeSecret(nextMasterKeyFile(dataDir), formatKey(given ?? generateKey()))
  const next = (await readKeyFile(nextMasterKeyFile(dataDir))) as Key
  if (given?.equals(next) === false)
    throw new StartError('A rotation to another master key was interrupted: finish it first, with rotate without --to')
  return next
}

/**
 * Replaces the master key in the data folder by the next one. The previous key is stored in a file named by its
 * fingerprint, for the backups that were made with it. Returns that file.
 */
export async function promoteNextMasterKey(dataDir: string, previous: Key): Promise<string> {
  const previousFile = `${masterKeyFile(dataDir)}.${computeFingerprint(previous)}`
  await storeSecret(previousFile, formatKey(previous))
  await rename(nextMasterKeyFile(dataDir), masterKeyFile(dataDir))
  return previousFile
}

async function createMasterKey(dataDir: string): Promise<Key> {
  await storeSecret(masterKeyFile(await ensureDataDir(dataDir)), formatKey(generateKey()))
  return (await readKeyFile(masterKeyFile(dataDir))) as Key
}

/** Returns the configured hash key or the one in a file, else the one in the database, else a new one. */
async function loadHashKey(pool: Pool, { dataDir, hashKey: given }: KeySettings, master: Key): Promise<KeyedHash> {
  const encrypted = await readInstallationValue(pool, encryptedHashKeyName)
  const existing = encrypted === undefined ? undefined : decryptHashKey(master, encrypted)
  let hashKey = given ?? (await readSecret(path.join(dataDir, 'hash-key'))) ?? existing ?? ''
  if (hashKey === '') {
    const isNew = (await readInstallationValue(pool, 'hash-key')) === undefined
    if (isNew)
      await insertInstallationValue(pool, encryptedHashKeyName, encryptHashKey(master, formatKey(generateKey())))
    // Read again even if it is not new: another instance may have created both since the first read.
    const stored = await readInstallationValue(pool, encryptedHashKeyName)
    hashKey = (stored === undefined ? null : decryptHashKey(master, stored)) ?? ''
  }
  const keyedHash = createKeyedHash(hashKey)
  await verifyHashKey(pool, keyedHash)
  // A configured key is stored too: it belongs in every backup.
  await insertInstallationValue(pool, encryptedHashKeyName, encryptHashKey(master, hashKey))
  return keyedHash
}
