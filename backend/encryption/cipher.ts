import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const keyLength = 32

/** A key of 256 bits. Node works with these several times as fast as with their bytes, and never prints them. */
export type Key = KeyObject

/** 32 bytes as a key. */
export const importKey = (bytes: Buffer): Key => createSecretKey(bytes)

/** A new key. */
export const generateKey = (): Key => importKey(randomBytes(keyLength))

/** A key as people write it, 32 bytes as hex, base64 or base64url; null when the text is none. */
export function parseKey(text: string): Key | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return importKey(Buffer.from(text, 'hex'))
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null
  return bytes?.length === keyLength ? importKey(bytes) : null
}

/** A key as text that `readKey` reads. */
export const formatKey = (key: Key): string => key.export().toString('base64url')

/** Tells whether two keys are the same without telling the key: 16 hex digits. */
export const computeFingerprint = (key: Key): string =>
  createHmac('sha256', key).update('everchart fingerprint').digest('hex').slice(0, 16)

const nonceKeys = new WeakMap<Key, Key>()

function deriveNonceKey(key: Key): Key {
  const known = nonceKeys.get(key) ?? importKey(createHmac('sha256', key).update('everchart nonce').digest())
  nonceKeys.set(key, known)
  return known
}

/**
 * Encrypts with AES-256-GCM. `context` is not kept, but has to be the same when it is opened: what was sealed for one
 * place cannot be moved to another. The nonce follows from key, context and content, so that the same gives the same bytes
 * and no two contents ever share a nonce.
 */
export function encrypt(key: Key, context: string, content: string | Buffer): Buffer {
  const nonce = createHmac('sha256', deriveNonceKey(key))
    // The length keeps (ab, c) and (a, bc) apart.
    .update(`${Buffer.byteLength(context)}:${context}`)
    .update(content)
    .digest()
    .subarray(0, nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(context))
  const start = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
  return Buffer.concat([nonce, start, cipher.final(), cipher.getAuthTag()])
}

/** What was sealed, or null when it was not with this key, for another place, or is damaged. */
export function decrypt(key: Key, context: string, sealed: Buffer): Buffer | null {
  const end = sealed.length - tagLength
  if (end < nonceLength) return null
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(end))
  const content = decipher.update(sealed.subarray(nonceLength, end))
  try {
    // Nothing is left to come out here: it only tells whether all of it is genuine.
    decipher.final()
    return content
  } catch {
    return null
  }
}
