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

/** Returns the administrative gender for a word in the file ("?" is unknown); null for an unknown word. */
export function parseGender(value: string): Gender | null {
  const word = value
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return word === '' ? 'unknown' : (genderOfWord.get(word) ?? null)
}

/** Splits "Hopper, Grace" and "Grace Hopper". A single word is a last name. */
export function splitName(full: string): { firstName: string; lastName: string } {
  const name = full.trim().replaceAll(/\s+/gu, ' ')
  const comma = name.indexOf(',')
  if (comma >= 0) return { lastName: name.slice(0, comma).trim(), firstName: name.slice(comma + 1).trim() }
  const space = name.lastIndexOf(' ')
  return { firstName: name.slice(0, Math.max(space, 0)), lastName: name.slice(space + 1) }
}

type EmergencyContact = NonNullable<PatientFields['emergencyContact']>

const phoneAtEnd = /[\s,;:-]*(\+?\(?\d[\d\s().-]{5,}\d)\s*$/u
/**
 * Maximum length of a text that is parsed as a contact: parsing a longer one would take minutes, and it is refused
 * anyway.
 */
const maxContactLength = 500
const inBrackets = /\s*\(([^()\d]{1,100})\)/u

/** Parses "Ben Okonkwo (brother) 555-014-0220": a name, an optional relationship, an optional phone number. */
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

/** Words that say that a patient was asked and has no allergies, in a column of allergies. */
const noAllergies =
  /^(?:none(?: known)?|no|nka|nkda|nkma|no (?:known )?(?:drug |food |medication )?allerg(?:y|ies)(?: known)?|not allergic|denies(?: (?:any )?allergies)?|keine?(?: bekannt)?|aucune?(?: connue?)?|ninguna?(?: conocida)?)[.!]?$/iu

/** Words that old systems write for an empty value. */
const nothing = /^(?:-+|n\/?a|nil|null)\.?$/iu

const meansNothing = (entry: string) => entry === '' || nothing.test(entry) || noAllergies.test(entry)

/** Returns whether a cell of a column of allergies says that there are none: "NKDA", "none", "No known allergies". */
export const meansNoAllergies = (value: string, marks: RegExp): boolean => {
  const entries = value.split(marks).map((entry) => entry.trim())
  return entries.every(meansNothing) && entries.some((entry) => noAllergies.test(entry))
}

/** Splits a list in one cell at the given separators; "none" and similar words are left out. */
export const splitList = (value: string, marks: RegExp): string[] =>
  value
    .split(marks)
    .map((entry) => entry.trim())
    .filter((entry) => !meansNothing(entry))

type AddressParts = { street: string[]; city: string; state: string; postalCode: string; country: string }

/**
 * Joins the parts of an address that the file has in postal order: "595 Greenfelder Knoll, Quincy, Massachusetts
 * 02171".
 */
export const joinAddress = ({ street, city, state, postalCode, country }: AddressParts): string =>
  [...street, city, [state, postalCode].filter(Boolean).join(' '), country].filter(Boolean).join(', ')

/** Returns whether a value means "alive": columns named "Deceased" often contain yes or no instead of a date. */
export const meansAlive = (value: string): boolean => /^(?:n|no|false|f|0|alive|living|nein)$/iu.test(value.trim())
