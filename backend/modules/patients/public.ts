import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { PatientId, type PracticeId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { patientDecider } from './decider.ts'
import { searchConditions } from './search.ts'

/** Counts the patients of a practice that are not part of its sample data. */
export const countPatients = (db: CommonQueryMethods, practiceId: string): Promise<number> =>
  db.oneFirst(sql.type(z.object({ patients: z.number() }))`
    select count(*)::int4 as patients from read.patients where practice_id = ${practiceId} and not sample`)

const NamedPatient = z.object({ id: PatientId, firstName: z.string(), lastName: z.string() })

/** Returns the names of patients, sorted by last and first name; without those that were removed. */
export const findPatientNames = (
  db: CommonQueryMethods,
  patientIds: readonly string[],
): Promise<readonly z.infer<typeof NamedPatient>[]> =>
  db.any(sql.type(NamedPatient)`
    select id, first_name as "firstName", last_name as "lastName" from read.patients
    where id = any(${sql.array(patientIds, 'uuid')}) order by last_name, first_name`)

/** Finds the patients that match a search best, at most `limit` (see `readSearch`). */
export async function searchPatients(
  db: CommonQueryMethods,
  scope: RecordScope,
  search: string,
  limit: number,
): Promise<readonly string[]> {
  const conditions = await searchConditions(db, scope.practiceId, search)
  if (!conditions) return []
  return await db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from (
      select id, sort_key, ${conditions.score} as score from read.patients p
      where ${inScope(scope, 'p')} and ${conditions.where}) as found
    order by score, sort_key, id limit ${limit}`)
}

/** Returns the name of a patient's event stream. */
export const getPatientStream = (patientId: PatientId): string => `${patientDecider.category}-${patientId}`

/** Returns whether an import is still in progress: its file is stored until it has finished. */
export async function isImportInProgress(pool: Pool, importId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from app.import_files where import_id = $1', [importId])
  return Boolean(rowCount)
}

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
