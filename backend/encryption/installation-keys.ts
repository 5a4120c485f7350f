import { rename } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { computeFingerprint, type Key, formatKey, generateKey, parseKey, encrypt, decrypt } from './cipher.ts'
import { ensureMasterKey, masterKeyName, dataKeysMigration } from './postgres-key-store.ts'
import { migrate } from '#database/migrations.ts'
import { ensureDataDir } from '#runtime/embedded-postgres.ts'
import {
  readSecret,
  verifyHashKey,
  installationMigration,
  storeSecret,
  type KeyedHash,
  createKeyedHash,
} from '#runtime/secrets.ts'
import { StartError } from '#runtime/start-error.ts'

/** What is set of the keys of an installation; undefined: it is kept in the data folder or the database, or made. */
export type KeySettings = { dataDir: string; masterKey: Key | undefined; hashKey: string | undefined }

/** The keys of an installation, held against its database. */
export type InstallationKeys = { masterKey: Key; keyedHash: KeyedHash }

/** The name in app.installation of the hash key, sealed with the master key. */
export const encryptedHashKeyName = 'hash-key-sealed'

const hashKeyContext = 'hash-key'

/** The hash key as it is kept in the database. */
export const encryptHashKey = (master: Key, hashKey: string): string =>
  encrypt(master, hashKeyContext, hashKey).toString('base64')

/** The hash key again; null when it was not sealed with this master key. */
export const decryptHashKey = (master: Key, sealed: string): string | null =>
  decrypt(master, hashKeyContext, Buffer.from(sealed, 'base64'))?.toString('utf8') ?? null

/**
 * The keys that everything in this database is sealed and hashed with; made where it is new. Throws StartError for a master
 * key or a hash key that is missing, or is not the one the database was begun with.
 */
export async function loadKeys(pool: Pool, settings: KeySettings): Promise<InstallationKeys> {
  await migrate(pool, [installationMigration, dataKeysMigration])
  const masterKey = await loadMasterKey(pool, settings)
  return { masterKey, keyedHash: await loadHashKey(pool, settings, masterKey) }
}

/** The file in which the master key is kept that is not set. */
const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key')

async function loadMasterKey(pool: Pool, { dataDir, masterKey: given }: KeySettings): Promise<Key> {
  const isNew = (await readInstallationValue(pool, masterKeyName)) === undefined
  const master =
    given ?? (await readKeyFile(masterKeyFile(dataDir))) ?? (isNew ? await createMasterKey(dataDir) : undefined)
  if (master === undefined)
    throw new StartError(
      `MASTER_KEY is missing: set it, or bring back the file ${masterKeyFile(dataDir)}. Nobody can read what is stored without it.`,
    )
  if (await ensureMasterKey(pool, master)) return master
  const next = given ? undefined : await readKeyFile(nextMasterKeyFile(dataDir))
  if (next && (await ensureMasterKey(pool, next))) {
    // It was exchanged, and whoever did so was killed before the file could follow.
    await promoteNextMasterKey(dataDir, master)
    return next
  }
  throw new StartError(
    'MASTER_KEY (or the file master-key in DATA_DIR) is not the one this database is sealed with: put the right one back.',
  )
}

/** A key kept in a file, if it is there. Throws StartError for one that is damaged. */
async function readKeyFile(file: string): Promise<Key | undefined> {
  const text = await readSecret(file)
  const key = text === undefined ? undefined : parseKey(text)
  if (key === null) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
  return key
}

const nextMasterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key.next')

/**
 * The key that an exchange brings to the data folder: the one that is given, else a new one. One that an earlier exchange
 * was killed with goes on. Throws StartError when that is another than the one given.
 */
export async function prepareNextMasterKey(dataDir: string, given: Key | undefined): Promise<Key> {
  await storeSecret(nextMasterKeyFile(dataDir), formatKey(given ?? generateKey()))
  const next = (await readKeyFile(nextMasterKeyFile(dataDir))) as Key
  if (given?.equals(next) === false)
    throw new StartError('An exchange to another master key was broken off: finish it first, by rotate without --to')
  return next
}

/**
 * Lets the next master key take the place of the one kept in the data folder. The one of before stays under the name of
 * its fingerprint, for the backups that were made with it: answers that file.
 */
export async function promoteNextMasterKey(dataDir: string, before: Key): Promise<string> {
  const aside = `${masterKeyFile(dataDir)}.${computeFingerprint(before)}`
  await storeSecret(aside, formatKey(before))
  await rename(nextMasterKeyFile(dataDir), masterKeyFile(dataDir))
  return aside
}

async function createMasterKey(dataDir: string): Promise<Key> {
  await storeSecret(masterKeyFile(await ensureDataDir(dataDir)), formatKey(generateKey()))
  return (await readKeyFile(masterKeyFile(dataDir))) as Key
}

/** The hash key that is set or kept in a file, else the one sealed in the database, else a new one. */
async function loadHashKey(pool: Pool, { dataDir, hashKey: given }: KeySettings, master: Key): Promise<KeyedHash> {
  const sealed = await readInstallationValue(pool, encryptedHashKeyName)
  const kept = sealed === undefined ? undefined : decryptHashKey(master, sealed)
  let hashKey = given ?? (await readSecret(path.join(dataDir, 'hash-key'))) ?? kept ?? ''
  if (hashKey === '') {
    const isNew = (await readInstallationValue(pool, 'hash-key')) === undefined
    if (isNew)
      await insertInstallationValue(pool, encryptedHashKeyName, encryptHashKey(master, formatKey(generateKey())))
    // Also read again where it is not new: another instance may have created both since the first look.
    const stored = await readInstallationValue(pool, encryptedHashKeyName)
    hashKey = (stored === undefined ? null : decryptHashKey(master, stored)) ?? ''
  }
  const keyedHash = createKeyedHash(hashKey)
  await verifyHashKey(pool, keyedHash)
  // Also one that is set: it belongs into every backup.
  await insertInstallationValue(pool, encryptedHashKeyName, encryptHashKey(master, hashKey))
  return keyedHash
}

async function readInstallationValue(pool: Pool, name: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>('select value from app.installation where name = $1', [name])
  return rows[0]?.value
}

/** Writes a fact unless it is there already; answers the one that is there. */
async function insertInstallationValue(pool: Pool, name: string, value: string): Promise<string> {
  await pool.query('insert into app.installation (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    value,
  ])
  return (await readInstallationValue(pool, name)) ?? value
}
