import { ProblemError } from '#http/problems.ts'

type Person = { email: string; username: string; firstName: string; lastName: string }

/** Shorter names occur in too many words. */
const minNameLength = 3
/** Characters that a password must have beside the user's own names. */
const minOtherCharacters = 6

const loadCommonPasswords = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
let commonPasswords: Promise<ReadonlySet<string>> | null = null

/**
 * Refuses a new password that is among the most common ones, or that is little more than the user's own names (NIST SP
 * 800-63B, 3.1.1.2). Throws 422 with the field `password`.
 */
export async function checkNewPassword(password: string, person: Person): Promise<void> {
  const normalized = password.normalize('NFKC').toLowerCase()
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(normalized))
    throw weakPassword('This password is one of the most common ones. Please choose another')
  const names = [person.email, person.email.split('@')[0] ?? '', person.username, person.firstName, person.lastName]
    .map((name) => name.normalize('NFKC').toLowerCase())
    .filter((name) => name.length >= minNameLength)
    .toSorted((a, b) => b.length - a.length)
  const rest = names.reduce((left, name) => left.replaceAll(name, ''), normalized)
  if (rest !== normalized && rest.length < minOtherCharacters)
    throw weakPassword('This password is made of your own name. Please choose another')
}

/** The refusal of a new password, shown at its field. */
export const weakPassword = (message: string): ProblemError =>
  new ProblemError(422, 'weak-password', message, { errors: [{ path: 'password', message }] })
