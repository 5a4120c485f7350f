import type { PatientFields } from '#contracts/patients.ts'
import { emailKey, fullNameKey } from '#modules/patients/name-keys.ts'
import { maxTypingErrors, typingErrors } from '#modules/patients/search-terms.ts'

/** The keys by which duplicate patients are found; null for missing data. */
export type DuplicateKeys = { namesake: string; phone: string | null; email: string | null }

/** Replaces an unknown birth date; of the same length. */
export const noBirthDate = '----------'

const contacts = ['phone', 'email'] as const
type Contact = (typeof contacts)[number]
const contactWords = { phone: 'phone number', email: 'email' }

/** A person who has a phone number or an e-mail address, by the key of name and birth date. */
type ContactOwner = { namesake: string }

/** The keys that patients of the practice have, and of phone numbers and e-mail addresses whose they are. */
export type ExistingKeys = { readonly namesake: ReadonlySet<string> } & {
  readonly [Kind in Contact]: ReadonlyMap<string, readonly ContactOwner[]>
}

/** `duplicate`: the same person. `question`: perhaps the same person, which the user decides. */
export type Likeness = { kind: 'duplicate' | 'question'; reason: string }

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

const splitNamesake = (key: string) => {
  const [firstName = '', lastName = ''] = key.slice(noBirthDate.length + 1).split(' ')
  return { birthDate: key.slice(0, noBirthDate.length), firstName, lastName }
}

const areSimilar = (one: string, other: string) =>
  typingErrors(one, other) <= maxTypingErrors(one.length < other.length ? one : other)

/**
 * Returns how two people with the same contact may be one: a similar name, and no other birth date, or the same name with
 * another one. Null for a family, or a household: a shared contact alone says nothing.
 */
function compareOwners(one: string, other: string): string | null {
  const [mine, theirs] = [splitNamesake(one), splitNamesake(other)]
  const isSameName = mine.firstName === theirs.firstName && mine.lastName === theirs.lastName
  const birthDates = [mine.birthDate, theirs.birthDate]
  const isSameBirth = mine.birthDate === theirs.birthDate
  const mayBeSameBirth = isSameBirth || birthDates.includes(noBirthDate)
  if (isSameName) {
    if (isSameBirth) return null
    return mayBeSameBirth ? 'the same name, without a birth date,' : 'the same name with another birth date'
  }
  const isSimilar = areSimilar(mine.firstName, theirs.firstName) && areSimilar(mine.lastName, theirs.lastName)
  return isSimilar && mayBeSameBirth ? 'a similar name' : null
}

const namesakeReason = (key: string) =>
  key.startsWith(noBirthDate) ? 'Same name, without a birth date,' : 'Same name and birth date'

const contactReason = (contact: Contact, likeness: string) => `Same ${contactWords[contact]} and ${likeness}`

/** Returns why a row looks like an existing patient. The reasons contain no names. */
export function matchExisting(keys: DuplicateKeys, known: ExistingKeys): Likeness[] {
  const as = 'as a patient who is already here'
  if (known.namesake.has(keys.namesake))
    return [{ kind: 'duplicate', reason: `${namesakeReason(keys.namesake)} ${as}` }]
  return contacts.flatMap((contact): Likeness[] => {
    const key = keys[contact]
    const owners = key === null ? [] : (known[contact].get(key) ?? [])
    const likeness = owners.flatMap(({ namesake }) => compareOwners(keys.namesake, namesake) ?? [])[0]
    return likeness === undefined ? [] : [{ kind: 'question', reason: `${contactReason(contact, likeness)} ${as}` }]
  })
}

/** People with one contact that later rows are compared with: a placeholder of another program may be in every row. */
const maxOwners = 20

/** Creates a record of the rows of a file, which returns why a row looks like an earlier one. */
export function createRowHistory(): { matchEarlier(row: number, keys: DuplicateKeys): Likeness[] } {
  const namesakes = new Map<string, number>()
  const owners: Record<Contact, Map<string, { row: number; namesake: string }[]>> = {
    phone: new Map(),
    email: new Map(),
  }
  return {
    matchEarlier(row, keys) {
      const earlier = namesakes.get(keys.namesake)
      if (earlier !== undefined)
        return [{ kind: 'duplicate', reason: `${namesakeReason(keys.namesake)} as row ${earlier}` }]
      namesakes.set(keys.namesake, row)
      return contacts.flatMap((contact): Likeness[] => {
        const key = keys[contact]
        if (key === null) return []
        const known = owners[contact].get(key) ?? []
        const found = known.flatMap((owner) => {
          const likeness = compareOwners(keys.namesake, owner.namesake)
          return likeness === null ? [] : [{ likeness, row: owner.row }]
        })[0]
        if (known.length < maxOwners) owners[contact].set(key, [...known, { row, namesake: keys.namesake }])
        return found
          ? [{ kind: 'question', reason: `${contactReason(contact, found.likeness)} as row ${found.row}` }]
          : []
      })
    },
  }
}
