import type { Pool } from 'pg'
import { type DatabasePool, sql } from 'slonik'
import { z } from 'zod'
import { ImportStatus, type RowNote } from '#contracts/patient-import.ts'
import type { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import { type Key, encrypt, decrypt } from '#encryption/cipher.ts'
import type { Position } from '#eventstore/event.ts'
import { openFields } from '#projections/sealed-columns.ts'
import { patientCountsProjection, patientsProjection, patientWordsProjection } from '#modules/patients/projection.ts'
import type { Services } from '#modules/module.ts'
import type { Migration } from '#database/migrations.ts'
import { type ExistingKeys, type DuplicateKeys, namesakeKey, noBirthDate } from './duplicates.ts'

/** Uploaded files, encrypted. A row is deleted when its import is finished. */
export const importMigration: Migration = {
  id: 'patients-import-001-files',
  sql: `create table app.import_files (
          import_id uuid primary key,
          practice_id uuid not null,
          csv text not null,
          created_at timestamptz not null default now());`,
}

/** Time-out in milliseconds: forty megabytes take longer than the default allows. */
const fileTimeoutMs = 60_000
/** The prefix of a file that is encrypted with the key of its import. */
const encryptedPrefix = '$phi:1:'
const createEncryptionContext = (importId: ImportId) => `import-file:${importId}`

type FileServices = Pick<Services, 'pool' | 'keyStore'>

/** Maximum number of unfinished imports per practice: files use disk space, and all practices share the workers. */
const maxFiles = 5

/** Stores the file of an import, unless the practice has too many unfinished ones. */
export async function storeImportFile(
  { pool, keyStore }: FileServices,
  importId: ImportId,
  practiceId: PracticeId,
  csv: string,
): Promise<'kept' | 'too-many'> {
  const key = (await keyStore.getOrCreateMany([importId])).get(importId) as Key
  const encrypted = encryptedPrefix + encrypt(key, createEncryptionContext(importId), csv).toString('base64')
  const { rowCount } = await queryWithTimeout(
    pool,
    {
      // A repeated request finds its own file.
      text: `insert into app.import_files (import_id, practice_id, csv) select $1, $2, $3
           where (select count(*) from app.import_files where practice_id = $2 and import_id <> $1) < $4
           on conflict (import_id) do update set csv = excluded.csv`,
      values: [importId, practiceId, encrypted, maxFiles],
    },
    fileTimeoutMs,
  )
  return rowCount === 1 ? 'kept' : 'too-many'
}

/** Returns the file of an import; null when it was deleted, or its key was destroyed. */
export async function readImportFile({ pool, keyStore }: FileServices, importId: ImportId): Promise<string | null> {
  const { rows } = await queryWithTimeout<{ csv: string }>(
    pool,
    {
      text: 'select csv from app.import_files where import_id = $1',
      values: [importId],
    },
    fileTimeoutMs,
  )
  const kept = rows[0]?.csv ?? null
  // A file that was stored before files were encrypted.
  if (kept === null || !kept.startsWith(encryptedPrefix)) return kept
  const key = (await keyStore.getMany([importId])).get(importId)
  const encrypted = Buffer.from(kept.slice(encryptedPrefix.length), 'base64')
  return (key && decrypt(key, createEncryptionContext(importId), encrypted)?.toString('utf8')) ?? null
}

export async function deleteImportFile(pool: Pool, importId: ImportId): Promise<void> {
  await pool.query('delete from app.import_files where import_id = $1', [importId])
}

/** Finds files old enough that a request to import them has been recorded by now, or never will be. */
export async function findOldImportFiles(pool: Pool): Promise<{ importId: ImportId; days: number }[]> {
  const { rows } = await pool.query<{ import_id: ImportId; days: number }>(
    `select import_id, extract(epoch from now() - created_at)::float8 / 86400 as days from app.import_files
     where created_at < now() - interval '10 minutes'`,
  )
  return rows.map(({ import_id: importId, days }) => ({ importId, days }))
}

/** Finds the patients of an import, as far as the read model has caught up. */
export async function findImportedPatients(pool: Pool, importId: ImportId): Promise<PatientId[]> {
  const { rows } = await pool.query<{ id: PatientId }>('select id from read.patients where import_id = $1', [importId])
  return rows.map(({ id }) => id)
}

const likenessSql = `
  select 'namesake' as kind, p.name_key as key, p.name_key, coalesce(p.date_of_birth::text, $7) as born
  from unnest($3::text[], $4::date[]) as asked (name_key, date_of_birth)
  join read.patients p on p.practice_id = $1 and p.name_key = asked.name_key
    and p.date_of_birth is not distinct from asked.date_of_birth
  where not p.sample and ($2::uuid is null or p.import_id is distinct from $2)
  union all
  select 'phone', p.phone, p.name_key, coalesce(p.date_of_birth::text, $7) from read.patients p
  where p.practice_id = $1 and not p.sample and p.phone = any($5) and ($2::uuid is null or p.import_id is distinct from $2)
  union all
  select 'email', p.email_key, p.name_key, coalesce(p.date_of_birth::text, $7) from read.patients p
  where p.practice_id = $1 and not p.sample and p.email_key = any($6) and ($2::uuid is null or p.import_id is distinct from $2)`

/**
 * Finds which duplicate keys the practice's patients have, in one query. Patients of this import do not count, because
 * an earlier attempt may have stopped in the middle.
 */
export async function findExistingKeys(
  pool: Pool,
  practiceId: PracticeId,
  importId: ImportId | null,
  likenesses: readonly DuplicateKeys[],
): Promise<ExistingKeys> {
  const namesakes = likenesses.map(({ namesake }) => namesake)
  const { rows } = await pool.query<{ kind: keyof ExistingKeys; key: string; name_key: string; born: string }>(
    likenessSql,
    [
      practiceId,
      importId,
      namesakes.map((key) => key.slice(11)),
      namesakes.map((key) => (key.startsWith(noBirthDate) ? null : key.slice(0, 10))),
      likenesses.flatMap(({ phone }) => phone ?? []),
      likenesses.flatMap(({ email }) => email ?? []),
      noBirthDate,
    ],
  )
  const known = {
    namesake: new Set<string>(),
    phone: new Map<string, { namesake: string }[]>(),
    email: new Map<string, { namesake: string }[]>(),
  }
  for (const { kind, key, name_key: name, born } of rows) {
    const namesake = namesakeKey(name, born)
    if (kind === 'namesake') known.namesake.add(namesake)
    else known[kind].set(key, [...(known[kind].get(key) ?? []), { namesake }])
  }
  return known
}

const lists = [patientsProjection, patientWordsProjection, patientCountsProjection].map(({ name }) => name)

/** Returns whether the read models of lists and search have reached a position. Stopped ones are ignored. */
export async function areCaughtUp(pool: Pool, position: Position): Promise<boolean> {
  const { rows } = await pool.query<{ behind: boolean }>(
    `select exists (select from read.checkpoints where name = any($1) and state <> 'failed'
       and (position is null or position < $2)) as behind`,
    [lists, position],
  )
  return rows[0]?.behind === false
}

const status = sql.fragment`
  import_id as "importId", state, failed_while as "failedWhile", total, done, created, skipped, removed, kept,
  started_at as "startedAt", finished_at as "finishedAt"`

const Listed = ImportStatus.omit({ skippedRows: true, failed: true, leftOutColumns: true })
/** Rows that created no patient, encrypted, and their number. */
const StoredNotes = z.object({
  id: z.string(),
  rows: z.number(),
  skipped: z.string().nullable(),
  failed: z.string().nullable(),
  leftOut: z.string().nullable(),
})
const noteColumns = { skipped: 'skipped_rows', failed: 'failed_rows', leftOut: 'left_out_columns' }
type Notes = { skipped: RowNote[] | null; failed: RowNote[] | null; leftOut: string[] | null }
const NotedRow = Listed.extend({ noted: z.number() })

const findStoredNotes = (db: DatabasePool, importId: ImportId) =>
  db.any(sql.type(StoredNotes)`
    select id, rows, skipped_rows as skipped, failed_rows as failed, left_out_columns as "leftOut"
    from read.patient_import_notes
    where import_id = ${importId} order by done`)

/** Returns an import of a practice; null when there is none with this id. */
export async function findImport(
  { db, keyStore, store, waitUntilCaughtUp }: Pick<Services, 'db' | 'keyStore' | 'store' | 'waitUntilCaughtUp'>,
  practiceId: PracticeId,
  importId: ImportId,
): Promise<ImportStatus | null> {
  const found = await db.maybeOne(sql.type(NotedRow)`
    select ${status}, skipped + failed as noted from read.patient_imports where import_id = ${importId} and practice_id = ${practiceId}`)
  if (!found) return null
  const { noted, ...listed } = found
  let stored = await findStoredNotes(db, importId)
  if (stored.reduce((sum, { rows }) => sum + rows, 0) < noted) {
    // The two read models advance one after the other.
    const head = await store.head()
    if (head !== null) await waitUntilCaughtUp(['ImportProgressed'], head)
    stored = await findStoredNotes(db, importId)
  }
  const findPlace = ({ id }: { id: string }) => ({ key: id, subject: importId })
  const notes = (await openFields(keyStore, stored, noteColumns, findPlace)) as Notes[]
  return {
    ...listed,
    skippedRows: notes.flatMap(({ skipped }) => skipped ?? []),
    failed: notes.flatMap(({ failed }) => failed ?? []),
    leftOutColumns: notes.flatMap(({ leftOut }) => leftOut ?? []),
  }
}

/** Returns the practice's last twenty imports, newest first, and all older ones that are running or failed. */
export const findRecentImports = (
  db: DatabasePool,
  practiceId: PracticeId,
): Promise<readonly z.infer<typeof Listed>[]> =>
  db.any(sql.type(Listed)`
    select ${status} from read.patient_imports
    where practice_id = ${practiceId} and (state not in ('done', 'undone') or import_id in (
      select import_id from read.patient_imports where practice_id = ${practiceId}
      order by started_at desc, import_id limit 20))
    order by started_at desc, import_id`)
