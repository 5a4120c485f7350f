import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { type PatientId, PracticeId } from '#contracts/values/ids.ts'
import { getEncryptedSubject } from '#encryption/encrypted-event.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import type { PostgresKeyStore } from '#encryption/postgres-key-store.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventSchema } from '#eventstore/event-schemas.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { getPatientStream, isImportInProgress, removeErasedPatient } from '#modules/patients/public.ts'
import { type AnyProjection, handlesEvent } from '#projections/projection.ts'
import { dropShadowTables } from '#projections/rebuild/drop-shadow-tables.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { isBehind } from '#projections/position.ts'
import { loadCheckpoints } from '#projections/runner/checkpoints.ts'
import { quoteTableName } from '#projections/table-names.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { findAffectedProjections } from './affected-projections.ts'
import { erasureDecider } from './decider.ts'

/** The infrastructure of an erasure. A projection runner must be running, so that the read models follow. */
export type ErasureParts = {
  /** Events with their PHI. */
  store: EventStore
  /** Events with every PHI field null, as they are read once the key is destroyed. */
  redactedStore: EventStore
  /** Events as stored. */
  rawStore: EventStore
  schemas: readonly EventSchema[]
  projections: readonly AnyProjection[]
  pool: Pool
  keyStore: PostgresKeyStore
  bus: CommandBus
  correlationId: string
}

const catchUpTimeoutMs = 60_000

/**
 * Erases a patient permanently. Removes the patient from all lists by an ordinary event and waits for the read models; then
 * destroys the data key and every copy of what it encrypted. After an interruption, the next call continues. `reason` is
 * for auditors and must not name the patient. Returns the instant at which the key was destroyed. Throws OperationRefused
 * before anything is destroyed, or when the call has to be repeated.
 */
export async function erasePatient(
  parts: ErasureParts,
  patientId: PatientId,
  request: { requestedBy: string; reason: string },
): Promise<Date> {
  const { pool, store, keyStore, bus, correlationId, schemas, projections } = parts
  const phiTypes = [...collectPhiFields(schemas).keys()]
  const phiProjections = projections.filter((projection) => phiTypes.some((type) => handlesEvent(projection, type)))

  const practiceId = await verifyErasable(parts, patientId)
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: 'keys' }, correlationId }
  await bus.execute(erasureDecider, patientId, { type: 'Request', patientId, ...request }, context)
  await removeErasedPatient(bus, patientId, practiceId, context)
  await waitUntilCaughtUp(pool, phiProjections, await store.head())
  for (const projection of phiProjections) await dropCopies(pool, projection)

  const affected = await findAffectedProjections(parts, phiProjections, patientId)
  const destroyedAt = await keyStore.destroy(patientId)
  for (const projection of affected) {
    const { status } = await rebuild(parts, projection)
    if (status !== 'done') throw new OperationRefused(`${projection.name} could not be rebuilt: run this again`)
    await dropCopies(pool, projection)
  }
  // Deleted rows stay in the database files until they are vacuumed.
  for (const table of ['app.data_keys', ...phiProjections.map(quoteTableName)]) await pool.query(`vacuum ${table}`)
  await bus.execute(erasureDecider, patientId, { type: 'Complete', patientId }, context)
  return destroyedAt
}

/** Checks that all data of a patient is encrypted and that no import of it is in progress. Returns the practice. */
async function verifyErasable({ rawStore, schemas, pool }: ErasureParts, patientId: PatientId): Promise<PracticeId> {
  const phiFields = collectPhiFields(schemas)
  let registered: Recorded | undefined
  for await (const event of rawStore.read(getPatientStream(patientId))) {
    registered ??= event
    if (getEncryptedSubject(event) === null && phiFields.get(event.type)?.split(event.data).phi !== undefined)
      throw new OperationRefused(`${patientId} has events that were stored unencrypted: they cannot be erased`)
  }
  if (!registered) throw new OperationRefused(`There is no patient ${patientId}`)
  const { importId, practiceId } = registered.data
  if (typeof importId === 'string' && (await isImportInProgress(pool, importId)))
    throw new OperationRefused('The import that added this patient is in progress: run this again when it has finished')
  return PracticeId.parse(practiceId)
}

/** Waits until all read models that may hold PHI have reached a position. */
async function waitUntilCaughtUp(
  pool: Pool,
  projections: readonly AnyProjection[],
  position: Position | null,
): Promise<void> {
  for (const startedAt = Date.now(); ;) {
    const checkpoints = await loadCheckpoints({ pool })
    const failed = projections.find(({ name }) => checkpoints.get(name)?.state === 'failed')
    if (failed)
      throw new OperationRefused(`The read model ${failed.name} has failed: resume it first, then run this again`)
    if (projections.every(({ name }) => !isBehind(checkpoints.get(name)?.position ?? null, position))) return
    if (Date.now() - startedAt > catchUpTimeoutMs)
      throw new OperationRefused('The read models are far behind: run this again later')
    await sleep(50)
  }
}

async function dropCopies(pool: Pool, projection: AnyProjection): Promise<void> {
  if (!(await dropShadowTables(pool, projection)))
    throw new OperationRefused(`${projection.name} is being rebuilt: run this again when that is done`)
}
