import type { PatientFields } from '#contracts/patients.ts'
import { emailKey, fullNameKey } from '#modules/patients/name-keys.ts'

/** What makes two patients look like one, as texts that can be compared. Null where there is nothing to compare. */
export type DuplicateKeys = { namesake: string; phone: string | null; email: string | null }

/** Stands in the place of a birth date nobody knows; as long as one. */
export const noBirthDate = '----------'

const kinds = ['namesake', 'phone', 'email'] as const
const words = { namesake: 'Same name and birth date', phone: 'Same phone number', email: 'Same email' }

const reasonText = (kind: keyof DuplicateKeys, key: string) =>
  kind === 'namesake' && key.startsWith(noBirthDate) ? 'Same name, without a birth date,' : words[kind]

/** What a practice's patients have of the likenesses that were asked about. */
export type ExistingKeys = { readonly [Kind in keyof DuplicateKeys]: ReadonlySet<string> }

/**
 * Namesakes born on one day, or of whom no birth date is known, one phone number, one e-mail address: the same three as
 * in the form.
 */
export const duplicateKeysOf = ({ firstName, lastName, dateOfBirth, phone, email }: PatientFields): DuplicateKeys => ({
  namesake: namesakeKey(fullNameKey(firstName, lastName), dateOfBirth ?? noBirthDate),
  phone,
  email: email === null ? null : emailKey(email),
})

/** A name as it is compared, with a birth date. */
export const namesakeKey = (nameKey: string, dateOfBirth: string): string => `${dateOfBirth} ${nameKey}`

/** Why a row looks like a patient the practice has. Speaks of no one by name. */
export const matchExisting = (likeness: DuplicateKeys, known: ExistingKeys): string[] =>
  kinds.flatMap((kind) => {
    const key = likeness[kind]
    return key !== null && known[kind].has(key) ? [`${reasonText(kind, key)} as a patient who is already here`] : []
  })

/** Remembers the rows of one file, and says why a row looks like an earlier one. */
export function earlierRows(): { likeEarlier(row: number, likeness: DuplicateKeys): string[] } {
  const firstRows = { namesake: new Map(), phone: new Map(), email: new Map() } as Record<
    keyof DuplicateKeys,
    Map<string, number>
  >
  return {
    likeEarlier(row, likeness) {
      return kinds.flatMap((kind) => {
        const key = likeness[kind]
        if (key === null) return []
        const earlier = firstRows[kind].get(key)
        if (earlier === undefined) firstRows[kind].set(key, row)
        return earlier === undefined ? [] : [`${reasonText(kind, key)} as row ${earlier}`]
      })
    },
  }
}
