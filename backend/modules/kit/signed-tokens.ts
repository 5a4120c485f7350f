import { timingSafeEqual } from 'node:crypto'

/** Tokens for links in messages. They contain ids and a signature, mean one thing each, and are stored nowhere. */
export type SignedTokens = {
  /** Returns the token of these fields, which must not contain a full stop. */
  create(...fields: readonly string[]): string
  /** Returns the fields of a token; null for one that was not signed here for this purpose. */
  parse(token: string): readonly string[] | null
}

/** Hexadecimal digits of the signature: 128 bits. */
const signatureLength = 32

/** Creates the tokens of one purpose, signed with the installation's own key. */
export function createSignedTokens(
  keyedHash: (purpose: string, value: string) => string,
  purpose: string,
): SignedTokens {
  const computeSignature = (content: string) => keyedHash(purpose, content).slice(0, signatureLength)
  return {
    create(...fields) {
      const content = fields.join('.')
      return `${content}.${computeSignature(content)}`
    },
    parse(token) {
      const end = token.lastIndexOf('.')
      const content = token.slice(0, Math.max(0, end))
      const given = Buffer.from(token.slice(end + 1))
      const expected = Buffer.from(computeSignature(content))
      return given.length === expected.length && timingSafeEqual(given, expected) ? content.split('.') : null
    },
  }
}
