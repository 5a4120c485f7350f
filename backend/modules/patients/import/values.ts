import type { Gender, PatientFields } from '#contracts/patients.ts'

const genders: Record<Gender, string> = {
  female:
    'f female woman girl w weiblich frau feminin femme feminine mujer femenino femminile donna feminino mulher vrouw vrouwelijk kvinne kvinna',
  male: 'm male man boy mann mannlich masculin homme masculine hombre masculino maschile uomo homem mannelijk',
  other: 'o other x d divers diverse nonbinary nb intersex otro autre altro third',
  unknown: 'u unk unknown undisclosed notspecified unspecified notstated notdisclosed unbekannt inconnu desconocido na',
}

const genderOfWord = new Map(
  Object.entries(genders).flatMap(([gender, words]) => words.split(' ').map((word) => [word, gender as Gender])),
)

/** The administrative gender a word of the old system stands for ("?" is unknown); null for a word nobody knows. */
export function parseGender(value: string): Gender | null {
  const word = value
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return word === '' ? 'unknown' : (genderOfWord.get(word) ?? null)
}

/** "Hopper, Grace" and "Grace Hopper". A single word has no first name we could know. */
export function splitName(full: string): { firstName: string; lastName: string } {
  const name = full.trim().replaceAll(/\s+/gu, ' ')
  const comma = name.indexOf(',')
  if (comma >= 0) return { lastName: name.slice(0, comma).trim(), firstName: name.slice(comma + 1).trim() }
  const space = name.lastIndexOf(' ')
  return { firstName: name.slice(0, Math.max(space, 0)), lastName: name.slice(space + 1) }
}

type EmergencyContact = NonNullable<PatientFields['emergencyContact']>

const phoneAtEnd = /[\s,;:-]*(\+?\(?\d[\d\s().-]{5,}\d)\s*$/u
/** Longer than a contact can be: such a text is not searched, which would take minutes, but refused for its length. */
const maxContactLength = 500
const inBrackets = /\s*\(([^()\d]{1,100})\)/u

/** "Ben Okonkwo (brother) 555-014-0220": a name, perhaps who that is, perhaps a number. */
export function parseEmergencyContact(value: string): EmergencyContact {
  if (value.length > maxContactLength) return { name: value, relationship: null, phone: null }
  const phone = phoneAtEnd.exec(value)
  const withoutPhone = phone && phone.index > 0 ? value.slice(0, phone.index) : value
  const relationship = inBrackets.exec(withoutPhone)
  return {
    name: withoutPhone
      .replace(inBrackets, '')
      .trim()
      .replace(/[,;:]$/u, ''),
    relationship: relationship?.[1]?.trim() ?? null,
    phone: withoutPhone === value ? null : (phone?.[1] ?? null),
  }
}

/** What old systems write where there is nothing to write. */
const nothing = /^(?:-+|n\/?a|none|nil|null|no|nka|nkda|no known (?:drug )?allergies|keine|aucune?|ninguna?)\.?$/iu

/** A list in one cell, separated as one of the marks says; "none" and its like are no entry. */
export const splitList = (value: string, marks: RegExp): string[] =>
  value
    .split(marks)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !nothing.test(entry))

type AddressParts = { street: string[]; city: string; state: string; postalCode: string; country: string }

/** "595 Greenfelder Knoll, Quincy, Massachusetts 02171": the parts the file has, in the order of an envelope. */
export const joinAddress = ({ street, city, state, postalCode, country }: AddressParts): string =>
  [...street, city, [state, postalCode].filter(Boolean).join(' '), country].filter(Boolean).join(', ')

/** Columns named "Deceased" often say yes or no instead of when. */
export const meansAlive = (value: string): boolean => /^(?:n|no|false|f|0|alive|living|nein)$/iu.test(value.trim())
