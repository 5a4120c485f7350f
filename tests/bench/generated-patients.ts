import { PatientId, type PracticeId } from '#contracts/values/ids.ts'
import type { PatientEvent } from '#modules/patients/events.ts'

type Registered = Extract<PatientEvent, { type: 'PatientRegistered' }>

const prefixes =
  'Al Bar Ber Car Cas Dan Del Ed El Fer Gar Gon Hal Har Hol Jan Kel Lan Mar Mon Nor Ol Per Ram Ros San Tor Val Wal Zim'
const infixes = 'a be ca da di e fe ga i ki la le ma mi na ne o ra ri ro sa se ta te ti to va ve vi zo'
const suffixes =
  'der dez ford ham ka ler ley lin ly man mann ner nez ni berg rell rez ri rin rison ros ser son ston ter ton tti va well'
const [first, middle, last] = [prefixes, infixes, suffixes].map((parts) => parts.split(' ')) as [
  string[],
  string[],
  string[],
]

/** Creates a random generator (mulberry32) with the same numbers in every run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pickOne = (list: readonly string[], next: () => number) => list[Math.floor(next() * list.length)] ?? ''

/**
 * Generates patients like those of a large clinic: about twenty thousand last names, every twentieth patient a Smith, every
 * thousandth a Hopper, half of all phone numbers in one area code.
 */
export function* generatePatients(practiceId: PracticeId, count: number, seed = 1): Generator<Registered> {
  const next = createRandom(seed)
  for (let index = 0; index < count; index++) {
    const firstName = pickOne(first, next) + pickOne(middle, next)
    const ordinary = pickOne(first, next) + pickOne(middle, next) + pickOne(last, next)
    const lastName = index % 1_000 === 7 ? 'Hopper' : index % 20 === 3 ? 'Smith' : ordinary
    const digits = String(Math.floor(next() * 10_000_000)).padStart(7, '0')
    const day = new Date(Date.UTC(1930 + Math.floor(next() * 90), Math.floor(next() * 12), 1 + Math.floor(next() * 28)))
    yield {
      type: 'PatientRegistered',
      data: {
        patientId: PatientId.parse(crypto.randomUUID()),
        practiceId,
        firstName,
        lastName,
        dateOfBirth: day.toISOString().slice(0, 10),
        gender: next() < 0.5 ? 'female' : 'male',
        email: `${firstName}.${lastName}${index}@${next() < 0.5 ? 'mail' : 'post'}.example`.toLowerCase(),
        phone: `+1${next() < 0.5 ? '617' : '508'}${digits}`,
        address: `${index} Main Street, Boston`,
        emergencyContact: null,
        insuranceInfo: null,
        medicalHistory: null,
        allergies: [],
        medications: [],
        notes: null,
        deceasedOn: null,
        importId: null,
        importRow: null,
      },
    }
  }
}
