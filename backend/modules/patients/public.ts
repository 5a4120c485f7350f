import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Patient } from '#contracts/patients.ts'
import { ImportId, PatientId, type PracticeId } from '#contracts/values/ids.ts'
import { masterKeyName } from '#encryption/data-keys.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus, SeenStream } from '#eventstore/command-bus.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Services } from '#modules/module.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import * as cascade from './removal/cascade.ts'
import * as change from './change-patient.ts'
import { patientDecider } from './decider.ts'
import * as known from './known-patients.ts'
import * as list from './list.ts'
import { splitWords } from './name-keys.ts'
import { formatNationalPhone, readPhone } from './phone.ts'
import { findPracticeLocale } from './practice-locale.ts'
import { selectPatients, toPatients } from './queries.ts'
import { searchConditions } from './search.ts'

const IdRow = z.object({ id: PatientId })
const FoundRow = z.object({ id: z.string() })

/** Counts the patients of a practice that are not part of its sample data. */
export const countPatients = (db: CommonQueryMethods, practiceId: string): Promise<number> =>
  list.countListedPatients(db, { practiceId, includeSamples: false })

/** Counts the patients that the list of a scope shows, without counting rows. */
export const countListedPatients = list.countListedPatients

const KeyCoverage = z.object({ patients: z.number(), patientsWithKey: z.number(), newestId: PatientId.nullable() })

/**
 * Counts the patients of a practice, sample patients included, and those of them whose data key exists and is protected by the
 * master key in use; returns the patient who was registered last.
 */
export const findKeyCoverage = (db: CommonQueryMethods, practiceId: string): Promise<z.infer<typeof KeyCoverage>> =>
  db.one(sql.type(KeyCoverage)`
    select count(*)::int4 as patients,
      count(*) filter (where k.wrapped_key is not null and k.master_fingerprint = m.value)::int4 as "patientsWithKey",
      (array_agg(p.id order by p.created_at desc, p.id))[1] as "newestId"
    from read.patients p
    left join app.data_keys k on k.subject = p.id::text
    left join app.installation m on m.name = ${masterKeyName}
    where p.practice_id = ${practiceId}`)

const NamedPatient = z.object({ id: PatientId, firstName: z.string(), lastName: z.string() })

/** Returns the names of patients, sorted by last and first name; without those that were removed. */
export const findPatientNames = (
  db: CommonQueryMethods,
  patientIds: readonly string[],
): Promise<readonly z.infer<typeof NamedPatient>[]> =>
  db.any(sql.type(NamedPatient)`
    select id, first_name as "firstName", last_name as "lastName" from read.patients
    where id = any(${sql.array(patientIds, 'uuid')}) order by last_name, first_name`)

/** Finds a patient of a practice. Throws 404 when there is none in this practice, or the patient was removed. */
export const requirePatient = known.requireKnownPatient

/** Returns the stream of a patient as a row of `requirePatient` shows it; null for a patient who was removed. */
export const toSeenPatient = known.toSeenPatient

/** Loads the stream of a patient as it is now; null for one who is not registered or was removed. */
export async function loadSeenPatient(bus: CommandBus, patientId: PatientId): Promise<SeenStream | null> {
  const { state, revision } = await bus.load(patientDecider, patientId)
  return state.status === 'registered'
    ? { stream: `${patientDecider.category}-${patientId}`, expected: revision }
    : null
}

/** Loads the insurance in the record of a patient with the revision of its stream; null for one who was removed. */
export async function loadRecordedInsurance(bus: CommandBus, practiceId: PracticeId, patientId: PatientId) {
  const { state, revision } = await bus.load(patientDecider, patientId)
  if (state.status !== 'registered' || state.practiceId !== practiceId) return null
  return { insuranceInfo: state.patient.insuranceInfo, revision: Number(revision) }
}

/** Finds those of some patients that belong to the practice, removed ones included. */
export const findPatients = known.findKnownPatients

/** Finds a patient of a practice, also a removed one; null when there is none in this practice. */
export const findPatient = known.findKnownPatient

/** Returns the jobs with which a module closes what it holds about a removed patient. */
export const definePatientCascade = cascade.definePatientCascade

/** Changes a patient's record as a user does. Throws 404, 409 and 422. */
export const changePatientRecord = change.changePatientRecord

/** Returns the function that reads phone numbers as a practice's users type them; it returns null for a text that is none. */
export async function createReadNumber({ db, clock }: Pick<Services, 'db' | 'clock'>, practiceId: PracticeId) {
  const { country } = await findPracticeLocale(db, practiceId, clock())
  return (typed: string) => {
    const reading = readPhone(typed, country)
    return reading.status === 'number'
      ? { stored: reading.stored, national: formatNationalPhone(reading.stored) }
      : null
  }
}

/** Formats a stored phone number in the national format of its country. */
export const formatPhoneNumber = formatNationalPhone

const PatientCard = z.object({
  id: PatientId,
  firstName: z.string(),
  lastName: z.string(),
  /** YYYY-MM-DD. */
  dateOfBirth: z.string().nullable(),
  /** The number in the national format of its country. */
  phone: z.string().nullable(),
})
export type PatientCard = z.infer<typeof PatientCard>

/**
 * Finds patients of a scope in the order of the given ids, with what tells namesakes apart; without those that were removed.
 */
export async function findPatientCards(
  db: CommonQueryMethods,
  scope: RecordScope,
  patientIds: readonly string[],
): Promise<PatientCard[]> {
  const rows = await db.any(sql.type(PatientCard)`
    select id, first_name as "firstName", last_name as "lastName", date_of_birth as "dateOfBirth", phone
    from read.patients p where id = any(${sql.array(patientIds, 'uuid')}) and ${inScope(scope, 'p')}`)
  const byId = new Map<string, PatientCard>(
    rows.map((row) => [row.id, { ...row, phone: row.phone && formatNationalPhone(row.phone) }]),
  )
  return patientIds.flatMap((id) => byId.get(id) ?? [])
}

/** Finds the ids of all patients of a practice, its sample data included. */
export const findPatientIds = (db: CommonQueryMethods, practiceId: string): Promise<readonly PatientId[]> =>
  db.anyFirst(sql.type(IdRow)`
    select id from read.patients where practice_id = ${practiceId} order by id`)

/** Finds the whole records of some patients of a practice, clinical fields included, in the order of their ids. */
export async function findPatientRecords(
  { db, keyStore }: Pick<Services, 'db' | 'keyStore'>,
  practiceId: string,
  patientIds: readonly string[],
): Promise<Patient[]> {
  const rest = sql.fragment`where p.id = any(${sql.array(patientIds, 'uuid')}) and practice_id = ${practiceId} order by p.id`
  return await toPatients(keyStore, await db.any(selectPatients(true, rest)))
}

/**
 * Finds the patients that match a search best, at most `limit` (see `readSearch`), and all those of `among` that match. Best match
 * first, without `among`.
 */
export async function searchPatients(
  db: CommonQueryMethods,
  scope: RecordScope,
  search: string,
  limit: number,
  among: readonly string[] = [],
): Promise<readonly string[]> {
  const conditions = await searchConditions(db, scope.practiceId, search)
  if (!conditions) return []
  return await db.anyFirst(sql.type(FoundRow)`
    with found as (
      select id, sort_key, ${conditions.score} as score from read.patients p
      where ${inScope(scope, 'p')} and ${conditions.where})
    (select id from found order by score, sort_key, id limit ${limit})
    ${among.length > 0 ? sql.fragment`union select id from found where id = any(${sql.array(among, 'uuid')})` : sql.fragment``}`)
}

const NameWord = z.object({ word: z.string() })

/** Returns those of some words that are part of the name of a patient of a practice. */
export async function findNameWords(
  db: CommonQueryMethods,
  practiceId: string,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = new Map(words.map((word) => [word, splitWords(word)]))
  const known = await db.anyFirst(sql.type(NameWord)`
    select word from read.patient_words
    where practice_id = ${practiceId} and word = any(${sql.array([...new Set([...keys.values()].flat())], 'text')})`)
  return new Set(words.filter((word) => keys.get(word)?.some((key) => known.includes(key))))
}

/** Returns the name of a patient's event stream. */
export const getPatientStream = (patientId: PatientId): string => `${patientDecider.category}-${patientId}`

/** Returns whether an import is still in progress: its file is stored until it has finished. */
export async function isImportInProgress(pool: Pool, importId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from app.import_files where import_id = $1', [importId])
  return Boolean(rowCount)
}

const ImportCounts = z.object({ importId: ImportId, created: z.number(), skipped: z.number(), failed: z.number() })

/** Returns how many rows became patients, were skipped and failed in imports of a practice. Unknown imports are missing. */
export const findImportCounts = (
  db: CommonQueryMethods,
  practiceId: string,
  importIds: readonly string[],
): Promise<readonly z.infer<typeof ImportCounts>[]> =>
  db.any(sql.type(ImportCounts)`
    select import_id as "importId", created, skipped, failed from read.patient_imports
    where practice_id = ${practiceId} and import_id = any(${sql.array(importIds, 'uuid')})`)

/** Removes a patient whose data is about to be erased. Does nothing when the patient was removed before. */
export async function removeErasedPatient(
  bus: CommandBus,
  patientId: PatientId,
  practiceId: PracticeId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'Remove', practiceId, reason: 'erased' } as const
  await bus.execute(patientDecider, patientId, command, context).catch((error: unknown) => {
    if (!(error instanceof CommandRejected)) throw error
  })
}
