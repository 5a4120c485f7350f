import path from 'node:path'
import type { Pool } from 'pg'
import { newKey, readKey, seal, unseal } from '#eventstore/cipher.ts'
import { holdsMasterKey, masterKeyName, vaultMigration } from '#eventstore/postgres-vault.ts'
import { migrate } from '#projections/migrations.ts'
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
export type KeySettings = { dataDir: string; masterKey: Buffer | undefined; hashKey: string | undefined }

/** The keys of an installation, held against its database. */
export type InstallationKeys = { masterKey: Buffer; keyedHash: KeyedHash }

/** The name in app.installation of the hash key, sealed with the master key. */
export const sealedHashKeyName = 'hash-key-sealed'

const hashKeyContext = 'hash-key'

/** The hash key as it is kept in the database. */
export const sealHashKey = (master: Buffer, hashKey: string): string =>
  seal(master, hashKeyContext, hashKey).toString('base64')

/** The hash key again; null when it was not sealed with this master key. */
export const unsealHashKey = (master: Buffer, sealed: string): string | null =>
  unseal(master, hashKeyContext, Buffer.from(sealed, 'base64'))?.toString('utf8') ?? null

/**
 * The keys that everything in this database is sealed and hashed with; made where it is new. Throws StartError for a master
 * key or a hash key that is missing, or is not the one the database was begun with.
 */
export async function holdKeys(pool: Pool, settings: KeySettings): Promise<InstallationKeys> {
  await migrate(pool, [installationMigration, vaultMigration])
  const masterKey = await holdMasterKey(pool, settings)
  return { masterKey, keyedHash: await hashKeyOf(pool, settings, masterKey) }
}

/** The file in which the master key is kept that is not set. */
export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master-key')

async function holdMasterKey(pool: Pool, { dataDir, masterKey: given }: KeySettings): Promise<Buffer> {
  const isNew = (await fact(pool, masterKeyName)) === undefined
  const master = given ?? (await keptMasterKey(dataDir)) ?? (isNew ? await newMasterKey(dataDir) : undefined)
  if (master === undefined)
    throw new StartError(
      `MASTER_KEY is missing: set it, or bring back the file ${masterKeyFile(dataDir)}. Nobody can read what is stored without it.`,
    )
  if (await holdsMasterKey(pool, master)) return master
  throw new StartError(
    'MASTER_KEY (or the file master-key in DATA_DIR) is not the one this database is sealed with: put the right one back.',
  )
}

async function keptMasterKey(dataDir: string): Promise<Buffer | undefined> {
  const file = masterKeyFile(dataDir)
  const text = await findSecret(file)
  const key = text === undefined ? undefined : readKey(text)
  if (key === null) throw new StartError(`The secret in ${file} is damaged: restore it from a backup.`)
  return key
}

async function newMasterKey(dataDir: string): Promise<Buffer> {
  await keepSecret(masterKeyFile(await ensureDataDir(dataDir)), newKey().toString('base64url'))
  return (await keptMasterKey(dataDir)) as Buffer
}

/** The hash key that is set or kept in a file, else the one sealed in the database, else a new one. */
async function hashKeyOf(pool: Pool, { dataDir, hashKey: given }: KeySettings, master: Buffer): Promise<KeyedHash> {
  const sealed = await fact(pool, sealedHashKeyName)
  const kept = sealed === undefined ? undefined : unsealHashKey(master, sealed)
  let hashKey = given ?? (await findSecret(path.join(dataDir, 'hash-key'))) ?? kept ?? ''
  if (hashKey === '' && (await fact(pool, 'hash-key')) === undefined) {
    const first = await firstFact(pool, sealedHashKeyName, sealHashKey(master, newKey().toString('base64url')))
    hashKey = unsealHashKey(master, first) ?? ''
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
