import { rename } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { computeFingerprint, type Key, formatKey, generateKey, parseKey, encrypt, decrypt } from './cipher.ts'
import { ensureMasterKey, masterKeyName, dataKeysMigration } from './postgres-key-store.ts'
import { migrate } from '#database/migrations.ts'
import { ensureDataDir } from '#runtime/embedded-postgres.ts'
import {
  findSecret,
  holdHashKey,
  installationMigration,
  keepSecret,
  type KeyedHash,
  keyedHashWith,
} from '#runtime/secrets.ts'
import { StartError } from '#runtime/start-error.ts'

/** What is set of the keys of an installation; undefined: it is kept in the data folder or the database, or made. */
export type KeySettings = { dataDir: string; masterKey: Key | undefined; hashKey: string | undefined }

/** The keys of an installation, held against its database. */
export type InstallationKeys = { masterKey: Key; keyedHash: KeyedHash }

/** The name in app.installation of the hash key, sealed with the master key. */
export const sealedHashKeyName = 'hash-key-sealed'

const hashKeyContext = 'hash-key'

/** The hash key as it is kept in the database. */
export const sealHashKey = (master: Key, hashKey: string): string =>
  encrypt(master, hashKeyContext, hashKey).toString('base64')

/** The hash key again; null when it was not sealed with this master key. */
export const unsealHashKey = (master: Key, sealed: string): string | null =>
  decrypt(master, hashKeyContext, Buffer.from(sealed, 'base64'))?.toString('utf8') ?? null

/**
 * The keys that everything in this database is sealed and hashed with; made where it is new. Throws StartError for a master
 * key or a hash key that is missing, or is not the one the database was begun with.
 */
export async function holdKeys(pool: Pool, settings: KeySettings): Promise<InstallationKeys> {
  await migrate(pool, [installationMigration, dataKeysMigration])
  const masterKey = await holdMasterKey(pool, settings)
  return { masterKey, keyedHash: await hashKeyOf(pool, settings, masterKey) }
}

/** The file in which the master key is kept that is not set. */
const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key')

async function holdMasterKey(pool: Pool, { dataDir, masterKey: given }: KeySettings): Promise<Key> {
  const isNew = (await fact(pool, masterKeyName)) === undefined
  const master = given ?? (await keptKey(masterKeyFile(dataDir))) ?? (isNew ? await newMasterKey(dataDir) : undefined)
  if (master === undefined)
    throw new StartError(
      `MASTER_KEY is missing: set it, or bring back the file ${masterKeyFile(dataDir)}. Nobody can read what is stored without it.`,
    )
  if (await ensureMasterKey(pool, master)) return master
  const next = given ? undefined : await keptKey(nextMasterKeyFile(dataDir))
  if (next && (await ensureMasterKey(pool, next))) {
    // It was exchanged, and whoever did so was killed before the file could follow.
    await takeNextMasterKey(dataDir, master)
    return next
  }
  throw new StartError(
    'MASTER_KEY (or the file master-key in DATA_DIR) is not the one this database is sealed with: put the right one back.',
  )
}

/** A key kept in a file, if it is there. Throws StartError for one that is damaged. */
async function keptKey(file: string): Promise<Key | undefined> {
  const text = await findSecret(file)
  const key = text === undefined ? undefined : parseKey(text)
  if (key === null) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
  return key
}

const nextMasterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key.next')

/**
 * The key that an exchange brings to the data folder: the one that is given, else a new one. One that an earlier exchange
 * was killed with goes on. Throws StartError when that is another than the one given.
 */
export async function nextMasterKey(dataDir: string, given: Key | undefined): Promise<Key> {
  await keepSecret(nextMasterKeyFile(dataDir), formatKey(given ?? generateKey()))
  const next = (await keptKey(nextMasterKeyFile(dataDir))) as Key
  if (given?.equals(next) === false)
    throw new StartError('An exchange to another master key was broken off: finish it first, by rotate without --to')
  return next
}

/**
 * Lets the next master key take the place of the one kept in the data folder. The one of before stays under the name of
 * its fingerprint, for the backups that were made with it: answers that file.
 */
export async function takeNextMasterKey(dataDir: string, before: Key): Promise<string> {
  const aside = `${masterKeyFile(dataDir)}.${computeFingerprint(before)}`
  await keepSecret(aside, formatKey(before))
  await rename(nextMasterKeyFile(dataDir), masterKeyFile(dataDir))
  return aside
}

async function newMasterKey(dataDir: string): Promise<Key> {
  await keepSecret(masterKeyFile(await ensureDataDir(dataDir)), formatKey(generateKey()))
  return (await keptKey(masterKeyFile(dataDir))) as Key
}

/** The hash key that is set or kept in a file, else the one sealed in the database, else a new one. */
async function hashKeyOf(pool: Pool, { dataDir, hashKey: given }: KeySettings, master: Key): Promise<KeyedHash> {
  const sealed = await fact(pool, sealedHashKeyName)
  const kept = sealed === undefined ? undefined : unsealHashKey(master, sealed)
  let hashKey = given ?? (await findSecret(path.join(dataDir, 'hash-key'))) ?? kept ?? ''
  if (hashKey === '') {
    const isNew = (await fact(pool, 'hash-key')) === undefined
    if (isNew) await firstFact(pool, sealedHashKeyName, sealHashKey(master, formatKey(generateKey())))
    // Also read again where it is not new: another instance may have created both since the first look.
    const stored = await fact(pool, sealedHashKeyName)
    hashKey = (stored === undefined ? null : unsealHashKey(master, stored)) ?? ''
  }
  const keyedHash = keyedHashWith(hashKey)
  await holdHashKey(pool, keyedHash)
  // Also one that is set: it belongs into every backup.
  await firstFact(pool, sealedHashKeyName, sealHashKey(master, hashKey))
  return keyedHash
}

async function fact(pool: Pool, name: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>('select value from app.installation where name = $1', [name])
  return rows[0]?.value
}

/** Writes a fact unless it is there already; answers the one that is there. */
async function firstFact(pool: Pool, name: string, value: string): Promise<string> {
  await pool.query('insert into app.installation (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    value,
  ])
  return (await fact(pool, name)) ?? value
}
