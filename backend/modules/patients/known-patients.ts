import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { PatientId } from '#contracts/values/ids.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { SeenStream } from '#eventstore/command-bus.ts'
import { notFound } from '#http/problems.ts'
import { patientDecider } from './decider.ts'

const RemovedRow = z.object({ id: z.string(), practiceId: z.string() })

const KnownPatient = z.object({
  id: PatientId,
  firstName: z.string(),
  lastName: z.string(),
  removed: z.boolean(),
  /** YYYY-MM-DD; null also when the patient was removed. */
  deceasedOn: z.string().nullable(),
  /** The last revision of the patient's own events; null when the patient was removed. */
  revision: z.number().nullable(),
})
export type KnownPatient = z.infer<typeof KnownPatient>

/**
 * Finds those of some patients that belong to a practice, removed ones included: what was recorded about them still names them. The
 * names of an erased patient are "Erased patient".
 */
export const findKnownPatients = (
  db: CommonQueryMethods,
  practiceId: string,
  patientIds: readonly string[],
): Promise<readonly KnownPatient[]> =>
  db.any(
    prepared(sql.type(KnownPatient)`
      select id, first_name as "firstName", last_name as "lastName", false as removed, deceased_on as "deceasedOn", revision
      from read.patients where id = any(${listOf(patientIds, 'uuid')}) and practice_id = ${practiceId}
      union all
      select id, coalesce(first_name, 'Erased'), coalesce(last_name, 'patient'), true, null, null
      from read.removed_patients where id = any(${listOf(patientIds, 'uuid')}) and practice_id = ${practiceId}`),
  )

/** Finds a patient of a practice, also a removed one; null when there is none in this practice. */
export const findKnownPatient = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<KnownPatient | null> => findOne(db, { practiceId, patientId })

type PatientReference = { practiceId: string; patientId: string }

const findOne = groupQueries(async (db, references: readonly PatientReference[]) => {
  const rows = new Map<string, readonly KnownPatient[]>()
  const byPractice = Map.groupBy(references, ({ practiceId }) => practiceId)
  await Promise.all(
    [...byPractice].map(async ([practiceId, group]) =>
      rows.set(
        practiceId,
        await findKnownPatients(db, practiceId, [...new Set(group.map(({ patientId }) => patientId))]),
      ),
    ),
  )
  return references.map(({ practiceId, patientId }) => {
    const found = rows.get(practiceId)?.filter(({ id }) => id === patientId) ?? []
    // For a moment both read models may contain a patient who is being removed.
    return found.find(({ removed }) => removed) ?? found[0] ?? null
  })
})

/** Finds a patient of a practice. Throws 404 when there is none in this practice, or the patient was removed. */
export async function requireKnownPatient(
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<KnownPatient> {
  const patient = await findKnownPatient(db, practiceId, patientId)
  if (!patient || patient.removed) throw notFound('patient')
  return patient
}

/** Returns the stream of a patient as this row shows it; null for a patient who was removed. */
export const toSeenPatient = ({ id, revision }: KnownPatient): SeenStream | null =>
  revision === null ? null : { stream: `${patientDecider.category}-${id}`, expected: BigInt(revision) }

/** Returns whether a patient of a practice was removed, as far as the read models say. */
export const wasRemoved = (db: CommonQueryMethods, practiceId: string, patientId: string): Promise<boolean> =>
  wereRemoved(db, { practiceId, patientId })

const wereRemoved = groupQueries(async (db, references: readonly PatientReference[]) => {
  const ids = references.map(({ patientId }) => patientId)
  const rows = await db.any(
    prepared(sql.type(RemovedRow)`
      select id, practice_id as "practiceId" from read.removed_patients where id = any(${listOf(ids, 'uuid')})`),
  )
  const practices = new Map(rows.map(({ id, practiceId }) => [id, practiceId]))
  return references.map(({ practiceId, patientId }) => practices.get(patientId) === practiceId)
})
