import type { ImportField } from '#contracts/patient-import.ts'

/** A column of the file. `field` is null when it is not imported; `isCertain` is false for a guess. */
export type Column = { heading: string; field: ImportField | null; sample: string; isCertain: boolean }

/** Fields that several columns may fill, joined in the order of the file. Every other field has at most one column. */
export const joinedFields: ReadonlySet<ImportField> = new Set([
  'address',
  'medicalHistory',
  'allergies',
  'medications',
  'notes',
  'otherPhone',
  'otherEmail',
])

/** Known headings in many languages, reduced to plain letters. The first of a list is the most certain. */
const spellings: Record<ImportField, string> = {
  firstName:
    'firstname first givenname given fname forename firstnames givennames patientfirstname patientfirst ptfirstname namefirst first1 ' +
    'vorname prenom nombre nombres primernombre nome imie voornaam fornavn fornamn etunimi',
  lastName:
    'lastname last surname familyname family lname patientlastname patientlast ptlastname namelast ' +
    'nachname familienname zuname nomdefamille apellido apellidos primerapellido cognome sobrenome nazwisko achternaam etternavn efternavn efternamn sukunimi',
  fullName:
    'fullname name patientname patient completename displayname ptname nameofpatient patientfullname clientname ' +
    'vollername patientenname nomcomplet nombrecompleto nomecompleto naam navn namn',
  dateOfBirth:
    'dateofbirth dob birthdate birthday birth bdate bday borndate born birthdt patientdob patientbirthdate ptdob dateofbirthdob dobmmddyyyy dobddmmyyyy ' +
    'geburtsdatum geburtstag gebdatum geb gebdat datedenaissance naissance ddn fechadenacimiento fechanacimiento nacimiento fnac datadinascita datanascita ' +
    'datadenascimento datanascimento geboortedatum fodselsdato fodelsedatum dataurodzenia',
  gender:
    'gender sex administrativegender genderidentity birthsex sexatbirth patientsex patientgender mf gendercode sexcode ' +
    'geschlecht sexe genre sexo genero sesso geslacht kjonn kon plec',
  email:
    'email emailaddress mail mailaddress patientemail emailid emailpersonal personalemail homeemail primaryemail email1 ' +
    'emailadresse mailadresse courriel adressemail adressecourriel correo correoelectronico eposta epost',
  phone:
    'phone phonenumber mobile mobilephone cell cellphone mobilenumber cellnumber telephone tel telephonenumber telno phoneno contactnumber ' +
    'primaryphone homephone phonehome phonemobile phonecell patientphone phone1 mainphone preferredphone daytimephone handphone ' +
    'telefon telefonnummer handy handynummer mobil mobiltelefon mobilnummer rufnummer telefono telefonomovil movil celular telephoneportable portable numerodetelephone cellulare telefone telefoon',
  address:
    'address streetaddress street address1 addressline1 addressline address2 addressline2 street1 street2 homeaddress mailingaddress patientaddress ' +
    'residentialaddress fulladdress addr addr1 addr2 apt apartment unit suite ' +
    'adresse anschrift strasse strassehausnummer strasseundhausnummer hausnummer strassenr rue adressepostale direccion calle domicilio indirizzo endereco rua adres straat',
  city: 'city town cityname addresscity homecity locality village suburb ort stadt wohnort ville commune ciudad localidad poblacion citta cidade plaats stad',
  state:
    'state province stateprovince region addressstate homestate statecode stateabbr bundesland etat estado provincia regione kanton canton',
  postalCode:
    'zip zipcode postalcode postcode zippostal zippostalcode postal zip5 addresszip homezip plz postleitzahl codepostal cp codigopostal cep postnummer postnr kodpocztowy',
  country: 'country countrycode nation addresscountry homecountry land staat pays pais paese kraj',
  emergencyContact:
    'emergencycontact emergencycontactname emergency ice nextofkin emergencyname contactperson emergencycontactperson notfallkontakt contactdurgence contactodeemergencia contactoemergencia',
  insuranceProvider:
    'insuranceprovider insurance insurancecompany insurer payer payor primaryinsurance carrier insurancecarrier insurancename insuranceplan healthplan primarypayer payername ' +
    'krankenkasse krankenversicherung versicherung kasse kostentrager assurance mutuelle aseguradora seguro assicurazione',
  policyNumber:
    'policynumber policyno policy memberid memberno membernumber subscriberid insuranceid insurancenumber policyid insurancepolicynumber insurancememberid subscribernumber ' +
    'versichertennummer versicherungsnummer numerodepoliza poliza',
  groupNumber: 'groupnumber groupno groupid group insurancegroup insurancegroupnumber plangroup',
  medicalHistory:
    'medicalhistory history conditions condition pastmedicalhistory pmh diagnoses diagnosis problems problemlist healthconditions chronicconditions ' +
    'anamnese vorerkrankungen diagnosen antecedents antecedentsmedicaux antecedentes historialmedico',
  allergies:
    'allergies allergy knownallergies drugallergies medicationallergies allergyinfo allergien allergie alergias alergia',
  medications:
    'medications medication currentmedications meds currentmeds medicines drugs prescriptions drugname medicationlist medikamente medikation medicaments medicamentos medicacion',
  notes:
    'notes note comments comment remarks remark memo patientnotes additionalinformation notizen bemerkung bemerkungen anmerkungen hinweise remarques commentaires notas observaciones',
  otherPhone:
    'otherphone phone2 secondaryphone alternatephone altphone phonework workphone businessphone officephone secondphone telefon2 telefono2',
  otherEmail: 'otheremail email2 secondaryemail alternateemail altemail workemail secondemail',
  deceasedOn:
    'deceasedon deathdate dateofdeath dod deceased deceaseddate deceaseddatetime death died diedon datedeceased todesdatum sterbedatum verstorbenam datededeces deces fechadefuncion fechadedefuncion fechadefallecimiento defuncion',
}

const byWord = new Map<string, { field: ImportField; rank: number }>()
for (const [field, words] of Object.entries(spellings))
  words.split(' ').forEach((word, rank) => {
    if (!byWord.has(word)) byWord.set(word, { field: field as ImportField, rank })
  })

/** Headings of national and foreign ids: such a column is never imported, not even by a guess. */
const neverImported =
  /^(ssn|socialsecurity\w*|sin|nationalid\w*|drivers?\w*|license\w*|licence\w*|passport\w*|taxid|id|patientid|mrn|uuid|guid|chart(no|number)|record(no|number)|medicalrecord\w*|accountn\w*|externalid|legacy\w*|password\w*|pin|lat|latitude|lon|lng|longitude|fips|npi|creditcard\w*|iban)$/

/** Reduces a heading to letters: `"Date of Birth (MM/DD/YYYY)"` and `date_of_birth` both become `dateofbirth`. */
const plainLetters = (heading: string) =>
  heading
    .replace(/\([^)]*\)|\[[^\]]*\]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/ł/giu, 'l')
    .replaceAll(/ø/giu, 'o')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the names of the columns: trimmed, none empty, each unique. A second "Phone" becomes "Phone (2)". */
export function nameColumns(heading: readonly string[]): string[] {
  const taken = new Set<string>()
  return heading.map((cell, index) => {
    const name = cell.normalize('NFC').trim().replaceAll(/\s+/gu, ' ') || `Column ${index + 1}`
    let unique = name
    for (let count = 2; taken.has(unique); count++) unique = `${name} (${count})`
    taken.add(unique)
    return unique
  })
}

/**
 * Recognizes each column by its heading or, when the heading is unknown, by its first values (a guess, `isCertain:
 * false`). A field that can have only one column gets the most certain one; a further phone number or e-mail address is kept in
 * the notes, other columns of the field are not imported.
 */
export function recognizeColumns(heading: readonly string[], samples: readonly (readonly string[])[]): Column[] {
  const names = nameColumns(heading)
  const known = heading.map((cell) => byWord.get(plainLetters(cell)))
  const bestColumns = new Map<ImportField, number>()
  known.forEach((match, index) => {
    if (!match || joinedFields.has(match.field)) return
    const best = bestColumns.get(match.field)
    if (best === undefined || match.rank < (known[best]?.rank ?? 0)) bestColumns.set(match.field, index)
  })
  // A full name in addition to first and last name would import the name twice.
  if (bestColumns.has('firstName') && bestColumns.has('lastName')) bestColumns.delete('fullName')

  const columns = names.map((name, index): Column => {
    const match = known[index]
    const isBest = match && (joinedFields.has(match.field) || bestColumns.get(match.field) === index)
    return {
      heading: name,
      field: isBest ? match.field : match ? (furtherFields[match.field] ?? null) : null,
      sample: findSampleValue(samples, index),
      isCertain: true,
    }
  })
  guessByValues(columns, heading, samples, known.map(Boolean))
  return columns
}

/** The fields of further columns of a field that can have only one. */
const furtherFields: { readonly [Field in ImportField]?: ImportField } = { phone: 'otherPhone', email: 'otherEmail' }

const maxSampleLength = 120

function findSampleValue(samples: readonly (readonly string[])[], index: number): string {
  const value = samples.map((cells) => cells[index]?.trim() ?? '').find((cell) => cell !== '') ?? ''
  return value.length > maxSampleLength ? `${value.slice(0, maxSampleLength)}…` : value
}

const guesses: readonly { field: ImportField; fits: RegExp }[] = [
  { field: 'email', fits: /^[^\s@]+@[^\s@]+\.[^\s@]+$/u },
  { field: 'gender', fits: /^(m|f|male|female)$/iu },
  { field: 'phone', fits: /^(?:\+[\d\s().-]{8,20}|\(?\d{3}\)?[\s.-]{1,2}\d{3}[\s.-]?\d{4})$/u },
]

/** Maximum length of a value that is tested for an e-mail address: in a very long text the test would take minutes. */
const maxGuessLength = 254

/** Tests for values that are unambiguous: a date may be any date, a word any word. */
function guessByValues(
  columns: Column[],
  heading: readonly string[],
  samples: readonly (readonly string[])[],
  known: readonly boolean[],
): void {
  const taken = new Set(columns.map(({ field }) => field))
  columns.forEach((column, index) => {
    if (known[index] || neverImported.test(plainLetters(heading[index] ?? ''))) return
    const values = samples.map((cells) => cells[index]?.trim() ?? '').filter((cell) => cell !== '')
    const guess = guesses.find(
      ({ field, fits }) =>
        !taken.has(field) && values.every((value) => value.length <= maxGuessLength && fits.test(value)),
    )
    if (!guess || values.length === 0) return
    taken.add(guess.field)
    columns[index] = { ...column, field: guess.field, isCertain: false }
  })
}

/** Returns whether the first row contains values: no heading is known, and a cell can only be a value. */
export const hasNoHeading = (heading: readonly string[]): boolean =>
  heading.every((cell) => !byWord.has(plainLetters(cell)) && !neverImported.test(plainLetters(cell))) &&
  heading.some((cell) => /@.+\.|^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|^\+?[\d\s().-]{7,}$/u.test(cell))
