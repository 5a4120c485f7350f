import { decrypt, encrypt, type Key } from '#encryption/cipher.ts'
import { KeyDestroyed, KeyMissing, type KeyStore } from '#encryption/key-store.ts'
import type { AnyProjection, Row } from './projection.ts'

/** A value of a loaded row that a fold may keep or replace, but not read. */
const storedText = Symbol('stored text')
type StoredValue = { readonly [storedText]: string }

const isStored = (value: unknown): value is StoredValue =>
  typeof value === 'object' && value !== null && storedText in value

const prefix = '1:'

/** Binds a ciphertext to its place: in another column or row it cannot be decrypted. */
const sealContext = (column: string, key: string, subject: string) => JSON.stringify(['read', column, key, subject])

/** Returns a row as it is stored for a fold, which needs no key to keep its encrypted values. */
export function wrapSealed({ sealed }: AnyProjection, row: Row): Row {
  if (!sealed) return row
  const wrapped = { ...row }
  for (const column of sealed.columns)
    if (typeof row[column] === 'string') wrapped[column] = { [storedText]: row[column] }
  return wrapped
}

/**
 * Returns folded rows as they are stored: the values of sealed columns encrypted, null where the subject's key was
 * destroyed. Equal rows give equal bytes, so tables are compared without decrypting them.
 */
export async function sealRows(
  { name, key: keyColumn, sealed }: AnyProjection,
  rows: readonly Row[],
  keyStore: KeyStore | undefined,
): Promise<readonly Row[]> {
  if (!sealed) return rows
  const { columns, subject: subjectColumn } = sealed
  const needsKey = (row: Row) => columns.some((column) => (row[column] ?? null) !== null && !isStored(row[column]))
  const subjects = [...new Set(rows.filter(needsKey).map((row) => String(row[subjectColumn])))]
  if (subjects.length > 0 && !keyStore) throw new TypeError(`${name} has sealed columns and needs a key store`)
  const keys = subjects.length > 0 && keyStore ? await loadSealingKeys(keyStore, subjects) : undefined

  return rows.map((row) => {
    const subject = String(row[subjectColumn])
    const stored = { ...row }
    for (const column of columns) {
      const value = row[column] ?? null
      if (isStored(value)) stored[column] = value[storedText]
      else stored[column] = value === null ? null : seal(keys?.get(subject) ?? null, column, row, value)
    }
    return stored
  })

  function seal(key: Key | null, column: string, row: Row, value: unknown): string | null {
    if (key === null) return null
    const context = sealContext(column, String(row[keyColumn]), String(row[subjectColumn]))
    return `${prefix}${encrypt(key, context, JSON.stringify(value)).toString('base64')}`
  }
}

/** Loads the keys to encrypt with. Events from before encryption was introduced have none: it is created here. */
async function loadSealingKeys(keyStore: KeyStore, subjects: readonly string[]) {
  try {
    return await keyStore.getMany(subjects)
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error
    await createMissing(keyStore, subjects)
    return await keyStore.getMany(subjects)
  }
}

/** Creates the missing keys; one by one where a key was destroyed, for which the key store refuses the whole call. */
async function createMissing(keyStore: KeyStore, subjects: readonly string[]): Promise<void> {
  try {
    await keyStore.getOrCreateMany(subjects)
  } catch (error) {
    if (!(error instanceof KeyDestroyed)) throw error
    if (subjects.length > 1) for (const subject of subjects) await createMissing(keyStore, [subject])
  }
}

/** The place of an encrypted value: the row's key, and the subject whose data key encrypts it. */
type Place = { key: string; subject: string }

/**
 * Decrypts fields of queried rows with one call of the key store. `columns` maps a field to its sealed column. A field is
 * null where the subject's key was destroyed.
 */
export async function openFields<Stored extends object>(
  keyStore: Pick<KeyStore, 'getMany'>,
  rows: readonly Stored[],
  columns: Readonly<Record<string, string>>,
  findPlace: (row: Stored) => Place,
): Promise<Record<string, unknown>[]> {
  const copies = rows.map((row) => ({ ...row }) as Record<string, unknown>)
  const places = rows.map(findPlace)
  const fields = Object.entries(columns).filter(([field]) => copies.some((copy) => typeof copy[field] === 'string'))
  if (fields.length === 0) return copies
  const hasSealed = (_: Place, index: number) => fields.some(([field]) => typeof copies[index]?.[field] === 'string')
  const keys = await keyStore.getMany([...new Set(places.filter(hasSealed).map(({ subject }) => subject))])
  for (const [index, copy] of copies.entries()) {
    const { key, subject } = places[index] as Place
    for (const [field, column] of fields)
      if (typeof copy[field] === 'string')
        copy[field] = open(keys.get(subject) ?? null, sealContext(column, key, subject), copy[field])
  }
  return copies
}

function open(key: Key | null, context: string, text: string): unknown {
  if (key === null) return null
  const content = decrypt(key, context, Buffer.from(text.slice(prefix.length), 'base64'))
  if (content === null) throw new Error('An encrypted value of a read model does not belong to its row')
  return JSON.parse(content.toString('utf8'))
}
