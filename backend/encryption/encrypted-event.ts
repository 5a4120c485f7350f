import type { EventData, NewEvent, Recorded } from '#eventstore/event.ts'
import { decrypt, encrypt, type Key } from './cipher.ts'
import type { DataKeys } from './key-store.ts'
import { mergePhi } from './phi-fields.ts'

/** The field of a stored event that holds its encrypted fields: `1:<subject>:<base64>`. */
const encryptedField = '$phi'
const encryptedPrefix = '1:'

/** The encrypted fields of a stored event, and the subject whose data key encrypts them. */
type EncryptedFields = { subject: string; text: string }

/** Binds a ciphertext to its event: under another id or type, or in another stream, it cannot be decrypted. */
const encryptionContext = ({ id, type }: NewEvent, stream: string, subject: string) =>
  JSON.stringify([id, type, stream, subject])

/** Returns the encrypted fields of a stored event, or null when it has none. */
export function parseEncrypted({ data }: Recorded): EncryptedFields | null {
  const value = data[encryptedField]
  if (typeof value !== 'string' || !value.startsWith(encryptedPrefix)) return null
  const end = value.indexOf(':', encryptedPrefix.length)
  return end < 0 ? null : { subject: value.slice(encryptedPrefix.length, end), text: value.slice(end + 1) }
}

/** Returns the subject whose key encrypts a stored event; null when nothing in it is encrypted. Takes an event of the underlying store. */
export const getEncryptedSubject = (stored: Recorded): string | null => parseEncrypted(stored)?.subject ?? null

/** Throws TypeError when an event has a field of the name that is reserved for the ciphertext. */
export function assertNotReserved({ data }: NewEvent): void {
  if (Object.hasOwn(data, encryptedField)) throw new TypeError(`${encryptedField} is a reserved field name`)
}

/** Returns an event as it is stored: `plain` fields as they are, `phi` fields encrypted. */
export function encryptEvent(
  event: NewEvent,
  stream: string,
  { subject, plain, phi }: { subject: string; plain: unknown; phi: unknown },
  key: Key,
): NewEvent {
  const context = encryptionContext(event, stream, subject)
  const text = encrypt(key, context, JSON.stringify(phi)).toString('base64')
  return { ...event, data: { ...(plain as EventData), [encryptedField]: `${encryptedPrefix}${subject}:${text}` } }
}

/**
 * Returns an event that is decrypted on the first access to a field that may be encrypted: most projections skip most
 * events, and many need only the plain ids. Where the key was destroyed, its encrypted fields are null.
 */
export function lazilyDecrypted(event: Recorded, { subject, text }: EncryptedFields, keys: DataKeys): Recorded {
  const { id, stream, revision, position, type, metadata, recordedAt, data: stored } = event
  let data: EventData | undefined

  function createLazyData(): EventData {
    const { [encryptedField]: _ciphertext, ...fields } = stored
    return decryptOnAccess(fields, () => {
      if (data !== fields) decryptInto(fields)
      // From here on, readers get the plain object without the proxy.
      data = fields
      return fields
    })
  }
  function decryptInto(fields: Record<string, unknown>): void {
    const key = keys.get(subject) ?? null
    if (key === null) return
    const content = decrypt(key, encryptionContext(event, stream, subject), Buffer.from(text, 'base64'))
    if (content === null) throw new Error(`The ciphertext of event ${id} does not belong to it`)
    mergePhi(fields, JSON.parse(content.toString('utf8')))
  }
  return {
    id,
    stream,
    revision,
    position,
    type,
    metadata,
    recordedAt,
    get data() {
      return (data ??= createLazyData())
    },
  }
}

/** Returns whether a field is certainly plain: every extracted value leaves a null, in the field or somewhere below it. */
const isPlain = (value: unknown): boolean =>
  value !== null && (typeof value !== 'object' || Object.values(value).every(isPlain))

/** Wraps data so that `decryptAll`, which decrypts in place, runs on the first access to a field that may be encrypted. */
const decryptOnAccess = (fields: Record<string, unknown>, decryptAll: () => EventData): EventData =>
  new Proxy(fields, {
    get: (target, name) => (isPlain(target[name as string]) ? target[name as string] : decryptAll()[name as string]),
    getOwnPropertyDescriptor: (target, name) =>
      Reflect.getOwnPropertyDescriptor(isPlain(target[name as string]) ? target : decryptAll(), name),
  })
