import type { PatientFields } from '#contracts/patients.ts'
import { emailKey, fullNameKey } from '#modules/patients/name-keys.ts'

/** The keys by which duplicate patients are found; null for missing data. */
export type DuplicateKeys = { namesake: string; phone: string | null; email: string | null }

/** Replaces an unknown birth date; of the same length. */
export const noBirthDate = '----------'

const kinds = ['namesake', 'phone', 'email'] as const
const words = { namesake: 'Same name and birth date', phone: 'Same phone number', email: 'Same email' }

const reasonText = (kind: keyof DuplicateKeys, key: string) =>
  kind === 'namesake' && key.startsWith(noBirthDate) ? 'Same name, without a birth date,' : words[kind]

/** The looked-up keys that patients of the practice have. */
export type ExistingKeys = { readonly [Kind in keyof DuplicateKeys]: ReadonlySet<string> }

/**
 * Returns the keys of a patient: name and birth date (or name without a birth date), phone number, e-mail address, as
 * in the form.
 */
export const createDuplicateKeys = ({
  firstName,
  lastName,
  dateOfBirth,
  phone,
  email,
}: PatientFields): DuplicateKeys => ({
  namesake: namesakeKey(fullNameKey(firstName, lastName), dateOfBirth ?? noBirthDate),
  phone,
  email: email === null ? null : emailKey(email),
})

/** Returns a name key together with a birth date. */
export const namesakeKey = (nameKey: string, dateOfBirth: string): string => `${dateOfBirth} ${nameKey}`

/** Returns the reasons why a row looks like an existing patient. They contain no names. */
export const matchExisting = (keys: DuplicateKeys, known: ExistingKeys): string[] =>
  kinds.flatMap((kind) => {
    const key = keys[kind]
    return key !== null && known[kind].has(key) ? [`${reasonText(kind, key)} as a patient who is already here`] : []
  })

/** Creates a record of the rows of a file, which returns the reasons why a row looks like an earlier one. */
export function createRowHistory(): { matchEarlier(row: number, keys: DuplicateKeys): string[] } {
  const firstRows = { namesake: new Map(), phone: new Map(), email: new Map() } as Record<
    keyof DuplicateKeys,
    Map<string, number>
  >
  return {
    matchEarlier(row, keys) {
      return kinds.flatMap((kind) => {
        const key = keys[kind]
        if (key === null) return []
        const earlier = firstRows[kind].get(key)
        if (earlier === undefined) firstRows[kind].set(key, row)
        return earlier === undefined ? [] : [`${reasonText(kind, key)} as row ${earlier}`]
      })
    },
  }
}
