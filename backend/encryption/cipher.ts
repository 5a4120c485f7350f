import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const keyLength = 32

/** A key of 256 bits. Node uses a KeyObject several times as fast as its bytes, and never prints it. */
export type Key = KeyObject

/** Returns a key of 32 bytes. */
export const importKey = (bytes: Buffer): Key => createSecretKey(bytes)

/** Returns a new random key. */
export const generateKey = (): Key => importKey(randomBytes(keyLength))

/** Parses a key of 32 bytes as hex, base64 or base64url; returns null for any other text. */
export function parseKey(text: string): Key | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return importKey(Buffer.from(text, 'hex'))
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null
  return bytes?.length === keyLength ? importKey(bytes) : null
}

/** Formats a key as text for `parseKey`. */
export const formatKey = (key: Key): string => key.export().toString('base64url')

/** Returns 16 hex digits that identify a key without revealing it. */
export const computeFingerprint = (key: Key): string =>
  createHmac('sha256', key).update('everchart fingerprint').digest('hex').slice(0, 16)

const nonceKeys = new WeakMap<Key, Key>()

function deriveNonceKey(key: Key): Key {
  const known = nonceKeys.get(key) ?? importKey(createHmac('sha256', key).update('everchart nonce').digest())
  nonceKeys.set(key, known)
  return known
}

/**
 * Encrypts with AES-256-GCM. `context` is authenticated but not stored: decryption needs the same one, so a ciphertext
 * cannot be moved to another place. The nonce is derived from key, context and content: equal input gives equal bytes, and
 * no two contents share a nonce.
 */
export function encrypt(key: Key, context: string, content: string | Buffer): Buffer {
  const nonce = createHmac('sha256', deriveNonceKey(key))
    // The length prefix distinguishes (ab, c) from (a, bc).
    .update(`${Buffer.byteLength(context)}:${context}`)
    .update(content)
    .digest()
    .subarray(0, nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(context))
  const start = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
  return Buffer.concat([nonce, start, cipher.final(), cipher.getAuthTag()])
}

/** Decrypts; returns null for another key, another context or a damaged ciphertext. */
export function decrypt(key: Key, context: string, ciphertext: Buffer): Buffer | null {
  const end = ciphertext.length - tagLength
  if (end < nonceLength) return null
  const decipher = createDecipheriv(algorithm, key, ciphertext.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(ciphertext.subarray(end))
  const content = decipher.update(ciphertext.subarray(nonceLength, end))
  try {
    // Returns no more bytes: it verifies the authentication tag.
    decipher.final()
    return content
  } catch {
    return null
  }
}
