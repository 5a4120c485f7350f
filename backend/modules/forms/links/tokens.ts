import { randomBytes } from 'node:crypto'
import { formLinkPage } from '#contracts/form-links.ts'
import { FormId, FormLinkId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

type KeyedHash = (purpose: string, value: string) => string

/** Bytes of the secret in a link. */
const secretBytes = 24
/** Milliseconds for which a date of birth counts. */
const accessMs = 4 * 3_600_000

/** Returns the id of the link that a token is; the token cannot be recovered from it. */
const toLinkId = (keyedHash: KeyedHash, token: string) => FormLinkId.parse(deriveId(keyedHash('form link', token)))

/** Creates the token of a new link. It is in the address only: what is stored is its id. */
export function createFormToken(keyedHash: KeyedHash, formId: FormId): { token: string; linkId: FormLinkId } {
  const form = Buffer.from(formId.replaceAll('-', ''), 'hex').toString('base64url')
  const token = `${form}.${randomBytes(secretBytes).toString('base64url')}`
  return { token, linkId: toLinkId(keyedHash, token) }
}

/** Returns the form and the id of the link that a token may be; null for a text that is none. */
export function parseFormToken(keyedHash: KeyedHash, token: string): { formId: FormId; linkId: FormLinkId } | null {
  const [form = ''] = token.split('.', 1)
  const hex = Buffer.from(form, 'base64url').toString('hex')
  const formId = FormId.safeParse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
  return formId.success ? { formId: formId.data, linkId: toLinkId(keyedHash, token) } : null
}

/** Returns the address of the page of a link. */
export const createFormUrl = (address: string, token: string): string => address + formLinkPage.replace(':token', token)

const createAccessTokens = (keyedHash: KeyedHash) => createSignedTokens(keyedHash, 'form link access')

/** Creates the proof that the date of birth was given. */
export const createFormAccess = (keyedHash: KeyedHash, linkId: FormLinkId, now: Date): string =>
  createAccessTokens(keyedHash).create(linkId, String(now.getTime() + accessMs))

/** Returns whether a proof is for this link, and not over. */
export function isFormAccess(keyedHash: KeyedHash, access: string, linkId: FormLinkId, now: Date): boolean {
  const [of, until] = createAccessTokens(keyedHash).parse(access) ?? []
  return of === linkId && Number(until) > now.getTime()
}
